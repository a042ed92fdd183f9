import type { Rehearsal } from './rehearsal.js'

// The demos there are, by the workflow that they show. Each is loaded when it is played.

export const defaultRehearsal = 'harness'

export const rehearsals: Readonly<Record<string, () => Promise<Rehearsal>>> = {
  harness: async () => {
    const [{ rehearse }, { sampleSpecPath }, { createSampleProject }] = await Promise.all([
      import('./harness/rehearse.js'),
      import('./harness/sample-files.js'),
      import('./harness/sample-project.js'),
    ])
    return { rehearse, sample: { subject: sampleSpecPath, create: createSampleProject } }
  },
  lifecycle: async () => {
    const [{ rehearse }, { createSampleProject, sampleSubject }] = await Promise.all([
      import('./lifecycle/rehearse.js'),
      import('./lifecycle/sample-project.js'),
    ])
    return { rehearse, sample: { subject: sampleSubject, create: createSampleProject } }
  },
  playbook: async () => {
    const [{ rehearse }, { createSampleProject, sampleSubject }] = await Promise.all([
      import('./playbook/rehearse.js'),
      import('./playbook/sample-project.js'),
    ])
    return { rehearse, sample: { subject: sampleSubject, create: createSampleProject } }
  },
}
