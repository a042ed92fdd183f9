import { z } from 'zod'

const positive = z.number().positive()

const settings = z.looseObject({
  enabled: z.boolean().default(false),
  launch_command: z.string().min(1),
  launch_wait_ms: z.number().nonnegative().default(5_000),
  base_url: z.string().regex(/^https?:\/\//, 'begins with http:// or https://'),
  screenshot_dir: z.string().min(1).default('.autopilot/screenshots'),
  routes: z
    .array(
      z.looseObject({
        path: z.string(),
        name: z.string().min(1).optional(),
        wait_ms: z.number().nonnegative().default(0),
      }),
    )
    .min(1),
  viewport: z.looseObject({ width: positive.default(1280), height: positive.default(720) }).prefault({}),
})

/** How the screens of a project are looked at: `project.visual_testing` of its planning configuration. */
export type VisualSettings = z.infer<typeof settings>

/** The settings, or what is missing of them by name. */
export function visualSettings(
  value: unknown,
): { ok: true; settings: VisualSettings } | { ok: false; missing: string[] } {
  const read = settings.safeParse(value ?? {})
  if (read.success) return { ok: true, settings: read.data }
  return {
    ok: false,
    missing: [...new Set(read.error.issues.map(({ path }) => String(path[0] ?? 'visual_testing')))],
  }
}

/** Name of a route as a file of it is called. */
export function routeName({ name, path }: VisualSettings['routes'][number]): string {
  const plain = (name ?? path)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  return plain === '' ? 'home' : plain
}

/** The address of a route. */
export function routeUrl(base: string, path: string): string {
  return `${base.replace(/\/{1,20}$/, '')}/${path.replace(/^\/+/, '')}`
}
