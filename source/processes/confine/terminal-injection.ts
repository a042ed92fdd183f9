import { readFile } from 'node:fs/promises'

/**
 * True where a process of ours could put keys into our terminal as if a person had pressed them: as root on a Linux
 * that allows it. `setting` is the file in which the kernel tells it; one that has none always allowed it.
 */
export async function mayInjectInput(
  setting = '/proc/sys/dev/tty/legacy_tiocsti',
  uid = process.getuid?.(),
): Promise<boolean> {
  if (process.platform !== 'linux' || uid !== 0) return false
  return (await readFile(setting, 'utf8').catch(() => '1')).trim() !== '0'
}
