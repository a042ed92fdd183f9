import { writeSampleProject } from '../write-sample.js'
import { sampleFiles, sampleSpecPath } from './sample-files.js'

/**
 * Writes the sample project of the demo into an empty or absent folder and commits it in a repository of its own.
 * Returns the spec's path, relative to the folder.
 */
export async function createSampleProject(dir: string): Promise<{ specPath: string }> {
  const files = sampleFiles(new Date().toISOString().slice(0, 10))
  const isDocument = ({ path }: { path: string }) => path.startsWith('docs/')
  await writeSampleProject(dir, [
    { message: 'Know the plants by name', files: files.filter((file) => !isDocument(file)) },
    { message: 'Approve the watering plan', files: files.filter(isDocument) },
  ])
  return { specPath: sampleSpecPath }
}
