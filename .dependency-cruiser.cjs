// The arrows between the rooms of the house (docs/architecture.md). A room may import itself, the rooms listed for it,
// the ground floor, and packages.
const groundFloor = [
  'view/',
  'documents/',
  'secrets/',
  'terminal/(sanitize|width|colours)\\.ts$',
  '(problem|version|counted|number-words|without-colours|durations|closest|lookup|make-directory)\\.ts$',
]
const mayImport = {
  commands: [
    'sessions/',
    'workflows/(registry|workflow|flags)\\.ts$',
    'agents/',
    'project/',
    'processes/',
    'rehearsal/',
    'ui/',
    'offers\\.ts$',
  ],
  sessions: [
    'workflows/(workflow|tools|place|flags)\\.ts$',
    'run/',
    'ledger/',
    'agents/',
    'project/',
    'processes/',
    'storage/',
    'terminal/',
    'ui/',
  ],
  workflows: ['run/', 'ledger/', 'agents/', 'project/', 'processes/', 'storage/'],
  run: ['ledger/'],
  ledger: ['storage/'],
  agents: ['processes/', 'storage/'],
  embedded: ['agents/', 'processes/'],
  rehearsal: [],
  project: ['processes/', 'storage/'],
  storage: ['processes/'],
  processes: [],
  ui: ['terminal/'],
  terminal: [],
  secrets: [],
  view: [],
  documents: [],
}
// Within the ground floor nothing but words shared by all is imported.
const lowest = ['view', 'documents', 'secrets', 'terminal', 'processes']

const rooms = Object.entries(mayImport).map(([room, allowed]) => ({
  name: `${room}-arrows`,
  severity: 'error',
  comment: `${room} may import only: ${[room, ...allowed].join(', ')}`,
  from: { path: `^source/${room}/` },
  to: {
    path: '^source/',
    pathNot: `^source/(${[`${room}/`, ...allowed, ...(lowest.includes(room) ? groundFloor.slice(3) : groundFloor)].join('|')})`,
  },
}))

// A workflow imports no other workflow; the rooms that workflows share import none.
const shared = 'dispatch|evidence|commits|retries'
const workflows = [
  {
    name: 'workflow-knows-no-other',
    severity: 'error',
    from: { path: '^source/workflows/([a-z]+)/', pathNot: `^source/workflows/(${shared})/` },
    to: { path: '^source/workflows/[a-z]+/', pathNot: `^source/workflows/($1|${shared})/` },
  },
  {
    name: 'shared-rooms-know-no-workflow',
    severity: 'error',
    from: { path: `^source/workflows/(${shared})/` },
    to: { path: '^source/workflows/[a-z]+/', pathNot: `^source/workflows/(${shared})/` },
  },
  {
    name: 'workflow-contract-knows-no-workflow',
    severity: 'error',
    from: { path: '^source/workflows/[a-z-]+\\.ts$', pathNot: '^source/workflows/registry\\.ts$' },
    to: { path: '^source/workflows/(?!dispatch|evidence|commits|retries)[a-z]+/' },
  },
]

module.exports = {
  forbidden: [
    ...rooms,
    ...workflows,
    {
      name: 'cli-starts-commands-only',
      severity: 'error',
      from: { path: '^source/cli\\.tsx?$' },
      to: {
        path: '^source/',
        pathNot: '^source/(commands/|workflows/(registry|workflow)\\.ts$|main\\.ts$|(problem|version)\\.ts$)',
      },
    },
    {
      name: 'workflows-know-no-react',
      severity: 'error',
      from: {
        path: '^source/(workflows|run|ledger|storage|documents|project|processes|agents|secrets|view)/',
      },
      to: { path: 'node_modules/(react|ink|ink-select-input|ink-spinner)/' },
    },
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-orphans', severity: 'error', from: { orphan: true, pathNot: '\\.d\\.ts$' }, to: {} },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js'],
      conditionNames: ['import', 'node', 'types', 'default'],
    },
  },
}
