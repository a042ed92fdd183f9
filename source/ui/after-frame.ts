/** Milliseconds after which a frame that was asked for must have been written, if there was anything to write. */
const frameWait = 200

/**
 * Calls back once, when what is drawn now is on the screen. The frame may have been written before anybody could
 * listen, and an unchanged one is never written, so after a while without one it counts as written.
 *
 * @param afterWrite calls back after the next write
 */
export function afterFrame(
  afterWrite: (listener: () => void) => () => void,
  listener: () => void,
): () => void {
  const seen = () => {
    cancel()
    listener()
  }
  const forget = afterWrite(seen)
  const timer = setTimeout(seen, frameWait)
  function cancel(): void {
    clearTimeout(timer)
    forget()
  }
  return cancel
}
