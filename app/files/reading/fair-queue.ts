/** Serves people in turn, one job each, so that one person's many jobs do not delay others. */
export class FairQueue<Work> {
  private readonly lists = new Map<string, Work[]>();
  private readonly maxEach: number;
  private readonly isStarted: (work: Work) => boolean;

  /**
   * @param maxEach jobs that may wait per person; @param isStarted work waiting in several lists is started from one
   */
  constructor(maxEach: number, isStarted: (work: Work) => boolean) {
    this.maxEach = maxEach;
    this.isStarted = isStarted;
  }

  /** @returns false if the person's list is full */
  add(person: string, work: Work): boolean {
    const list = this.lists.get(person) ?? [];
    if (list.length >= this.maxEach) return false;
    list.push(work);
    this.lists.set(person, list);
    return true;
  }

  take(): Work | undefined {
    for (const [person, list] of this.lists) {
      this.lists.delete(person);
      const next = list.findIndex((work) => !this.isStarted(work));
      if (next < 0) continue;
      const [work] = list.splice(0, next + 1).slice(next);
      // People with further jobs move to the end.
      if (list.length > 0) this.lists.set(person, list);
      return work;
    }
    return undefined;
  }

  takeAll(): Work[] {
    const all = [...this.lists.values()].flat().filter((work) => !this.isStarted(work));
    this.lists.clear();
    return [...new Set(all)];
  }
}
