// The arrows between the rooms of the house. A room may import itself, the rooms listed for it, and packages.
const mayImport = {
  commands: ['ui', 'workflows', 'run', 'agents', 'documents', 'project', 'storage', 'terminal', 'rehearsal'],
  workflows: ['run', 'agents', 'documents', 'project', 'storage', 'terminal'],
  agents: ['terminal', 'project', 'storage'],
  ui: ['run', 'terminal'],
  run: ['storage'],
  project: ['storage', 'terminal'],
  rehearsal: ['documents'],
  embedded: ['agents', 'terminal'],
  documents: [],
  storage: [],
  terminal: [],
}

const rooms = Object.entries(mayImport).map(([room, allowed]) => ({
  name: `${room}-arrows`,
  severity: 'error',
  comment: `${room} may import only: ${[room, ...allowed].join(', ')}`,
  from: { path: `^source/${room}/` },
  to: { path: '^source/', pathNot: `^source/((${[room, ...allowed].join('|')})/|(problem|version)\\.ts$)` },
}))

module.exports = {
  forbidden: [
    ...rooms,
    {
      name: 'cli-starts-commands-only',
      severity: 'error',
      from: { path: '^source/cli\\.tsx$' },
      to: { path: '^source/', pathNot: '^source/(commands/|(problem|version)\\.ts$)' },
    },
    {
      name: 'workflows-know-no-react',
      severity: 'error',
      from: { path: '^source/(workflows|run|storage|documents|project|agents)/' },
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
