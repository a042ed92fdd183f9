// Browsers that can take a picture without a window.

export interface Browser {
  /** Absolute path of its program. */
  program: string
  kind: 'chromium' | 'firefox'
}

/** Names of programs, best first. */
export const browserNames = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'microsoft-edge',
  'brave-browser',
  'firefox',
] as const

/** Where they are on a Mac, which has them on no PATH. */
const applications = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Firefox.app/Contents/MacOS/firefox',
]

/** The first browser that is there. `find` gives the path of a program of that name, or of that path. */
export function findBrowser(find: (name: string) => string | undefined): Browser | undefined {
  for (const name of [...browserNames, ...applications]) {
    const program = find(name)
    if (program !== undefined) return { program, kind: /firefox$/i.test(name) ? 'firefox' : 'chromium' }
  }
  return undefined
}

export interface Picture {
  url: string
  /** Absolute path of the file. */
  file: string
  viewport: { width: number; height: number }
  waitMs: number
  /** A folder that it may fill, and that is thrown away. */
  profile: string
  /** Its own sandbox cannot be set up where it runs: as root, or in ours. */
  withoutSandbox: boolean
}

/** The line that takes one picture. */
export function pictureArgv({ program, kind }: Browser, picture: Picture): string[] {
  const { url, file, viewport, waitMs, profile } = picture
  const size = `${viewport.width},${viewport.height}`
  if (kind === 'firefox')
    return [
      program,
      '--headless',
      '--no-remote',
      '--profile',
      profile,
      `--window-size=${size}`,
      '--screenshot',
      file,
      url,
    ]
  return [
    program,
    '--headless=new',
    '--disable-gpu',
    '--hide-scrollbars',
    '--no-first-run',
    '--disable-background-networking',
    ...(picture.withoutSandbox ? ['--no-sandbox'] : []),
    `--user-data-dir=${profile}`,
    `--window-size=${size}`,
    ...(waitMs > 0 ? [`--virtual-time-budget=${waitMs}`] : []),
    `--screenshot=${file}`,
    url,
  ]
}
