/** A queue of jobs with its weight: how many of its jobs are taken in each round over all queues that hold some. */
export interface WeightedQueue {
  name: string;
  /** Whole number from 1. */
  weight: number;
}

/**
 * Chooses the next queue to take a job from, by smooth weighted round robin. While all queues hold jobs, any sequence of as many jobs as the sum of the
 * weights has each queue's share, and the first job of a queue that was empty waits no longer than that. An empty queue is skipped and saves up nothing.
 */
export class WeightedRoundRobin<Queue extends WeightedQueue> {
  private readonly credits: Map<Queue, number>;

  constructor(queues: readonly Queue[]) {
    this.credits = new Map(queues.map((queue) => [queue, 0]));
  }

  /**
   * Asks the queues for a job in their order, until one has some. When `get` rejects, the order stays as it was.
   * @param get undefined when the queue is empty
   * @returns what `get` returned; undefined when all queues are empty
   */
  async next<Job>(get: (queue: Queue) => Promise<Job | undefined>): Promise<Job | undefined> {
    const candidates = new Set(this.credits.keys());
    while (candidates.size > 0) {
      const queue = this.bestOf(candidates);
      const job = await get(queue);
      if (job !== undefined) {
        this.charge(queue, candidates);
        return job;
      }
      candidates.delete(queue);
      this.credits.set(queue, 0);
    }
    return undefined;
  }

  private creditOf(queue: Queue): number {
    return this.credits.get(queue) ?? 0;
  }

  /** The queue with the highest credit after this round's weight is added; among equals the one that was named first. */
  private bestOf(candidates: ReadonlySet<Queue>): Queue {
    return [...candidates].reduce((best, queue) =>
      this.creditOf(queue) + queue.weight > this.creditOf(best) + best.weight ? queue : best,
    );
  }

  /** Every candidate gains its weight; the queue that was taken from pays the sum of all of them. */
  private charge(taken: Queue, candidates: ReadonlySet<Queue>): void {
    let sum = 0;
    for (const queue of candidates) {
      this.credits.set(queue, this.creditOf(queue) + queue.weight);
      sum += queue.weight;
    }
    this.credits.set(taken, this.creditOf(taken) - sum);
  }
}
