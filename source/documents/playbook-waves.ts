// Which tasks could run beside each other (docs/playbook.md, "Waves").

export interface WaveTask {
  id: string
  wave: number
  files: readonly string[]
}

/** Ids wave by wave. Tasks that name one file never share a wave; the later one comes after. */
export function wavesOf(tasks: readonly WaveTask[]): string[][] {
  const numbers = [...new Set(tasks.map(({ wave }) => wave))].sort((one, other) => one - other)
  return numbers.flatMap((number) => split(tasks.filter(({ wave }) => wave === number)))
}

function split(tasks: readonly WaveTask[]): string[][] {
  const waves: string[][] = []
  const last = new Map<string, number>()
  for (const { id, files } of tasks) {
    const at = Math.max(0, ...files.map((file) => (last.get(file) ?? -1) + 1))
    for (const file of files) last.set(file, at)
    const wave = waves[at]
    if (wave === undefined) waves[at] = [id]
    else wave.push(id)
  }
  return waves
}
