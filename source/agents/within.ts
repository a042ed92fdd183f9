/** True if the promise settles within that many milliseconds. Does not keep the program alive. */
export async function within(promise: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms)
    timer.unref()
  })
  const settled = await Promise.race([promise.then(() => true), late])
  clearTimeout(timer)
  return settled
}
