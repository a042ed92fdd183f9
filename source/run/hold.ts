/** Holds a run between two steps: `wait` resolves at once while it is open, else when it is released. */
export interface Hold {
  readonly held: boolean
  toggle(): boolean
  /** Called before every step; rejects nothing, so the caller checks for a stop afterwards. */
  wait(onHeld: () => void): Promise<void>
  /** Lets a waiting step go on so that it can notice a stop. */
  release(): void
}

export function createHold(): Hold {
  let held = false
  let waiting: (() => void)[] = []
  const wakeAll = () => {
    const woken = waiting
    waiting = []
    for (const wake of woken) wake()
  }
  return {
    get held() {
      return held
    },
    toggle() {
      held = !held
      if (!held) wakeAll()
      return held
    },
    async wait(onHeld) {
      while (held) {
        onHeld()
        await new Promise<void>((resolve) => waiting.push(resolve))
      }
    },
    release() {
      held = false
      wakeAll()
    },
  }
}
