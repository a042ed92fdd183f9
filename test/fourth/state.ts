import type { StateCodec } from '../../source/ledger/state-codec.js'

/** State of the garden workflow. `kept` is the text of the file that the workflow does not know, as it stands. */
export interface GardenState {
  title: string
  state: 'DIG' | 'WATER' | 'DONE'
  question: string
  beds: { id: string; done: boolean; by: string }[]
  watered: string
  kept: string
}

export const firstState = (title: string): GardenState => ({
  title,
  state: 'DIG',
  question: '',
  beds: [
    { id: '2.1-north', done: false, by: '' },
    { id: '12A-south', done: false, by: '' },
  ],
  watered: '',
  kept: '',
})

const bedLine = /^- \[([ x])\] (\S+)(?: by (.+))?$/

/** The state as a Markdown document; everything from `## Notes` on is a person's and stays as it is. */
export const gardenCodec: StateCodec<GardenState> = {
  read(bytes) {
    const text = bytes.toString('utf8')
    const cut = text.indexOf('## Notes')
    const own = cut === -1 ? text : text.slice(0, cut)
    const fact = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(own)?.[1] ?? ''
    const title = /^# Garden: (.*)$/m.exec(own)?.[1]
    const state = fact('State')
    if (title === undefined) return { kind: 'unreadable', reason: 'it has no heading "# Garden"' }
    if (state !== 'DIG' && state !== 'WATER' && state !== 'DONE')
      return { kind: 'unreadable', reason: `its state is "${state}"` }
    const beds = own.split('\n').flatMap((line) => {
      const [, mark, id, by = ''] = bedLine.exec(line) ?? []
      return id === undefined ? [] : [{ id, done: mark === 'x', by }]
    })
    const kept = cut === -1 ? '' : text.slice(cut)
    return {
      kind: 'ok',
      state: { title, state, question: fact('Question'), beds, watered: fact('Watered'), kept },
      warnings: [],
    }
  },
  write({ title, state, question, beds, watered, kept }) {
    const lines = [
      `# Garden: ${title}`,
      '',
      `State: ${state}`,
      `Question: ${question}`,
      `Watered: ${watered}`,
      '',
      ...beds.map(({ id, done, by }) => `- [${done ? 'x' : ' '}] ${id}${by === '' ? '' : ` by ${by}`}`),
      '',
    ]
    return Buffer.from(`${lines.join('\n')}\n${kept}`, 'utf8')
  },
}
