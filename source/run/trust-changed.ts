/**
 * Thrown instead of starting a program when what would be executed is not what was trusted. Never caught by a workflow:
 * the driver of the run asks, and the state begins again.
 */
export class TrustChanged extends Error {
  /**
   * @param hash of what is there now, so that an answer holds for nothing else
   * @param lines what would be executed, one each, sanitised
   * @param consent records the person's answer
   */
  constructor(
    readonly hash: string,
    readonly lines: readonly string[],
    readonly consent: () => Promise<void>,
  ) {
    super('what is executed here is not what was trusted')
    this.name = 'TrustChanged'
  }
}
