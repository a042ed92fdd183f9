// What people ask of any program, wherever it stands on the line: nothing that reads options is loaded for it.

const words: Readonly<Record<string, 'help' | 'version'>> = {
  '-h': 'help',
  '--help': 'help',
  '--version': 'version',
}

/** Whether a command line asks for the help or the version, as that of other programs does. */
export function askedAbout(argv: readonly string[]): 'help' | 'version' | undefined {
  if (argv.length === 1 && argv[0] === 'help') return 'help'
  const end = argv.indexOf('--')
  const asked = (end < 0 ? argv : argv.slice(0, end)).flatMap((word) => words[word] ?? [])
  return asked.includes('help') ? 'help' : asked[0]
}
