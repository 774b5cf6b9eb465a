import { type Topic, topicClash, topicKey } from '@decola/contracts';
import { topicRefusals } from '../texts/writing-texts.js';

/** A topic that the model proposes. */
export interface TopicCandidate {
  title: string;
  focusKeyword: string;
  /** The keyword of the automation that it belongs to. */
  cluster: string;
  intent: string;
  angle: string;
  /** Why people search for it; shown to the owner. */
  why: string;
}

export interface JudgedCandidate {
  candidate: TopicCandidate;
  /** Why it is refused; null when it is new. */
  reason: string | null;
}

/** Refuses candidates that repeat something known, or each other. */
export function judgeCandidates(candidates: readonly TopicCandidate[], known: readonly Topic[]): JudgedCandidate[] {
  const accepted: Topic[] = [];
  return candidates.map((candidate) => {
    if (topicKey(candidate.focusKeyword) === '') return { candidate, reason: topicRefusals.empty };
    const clash = topicClash(candidate, [...known, ...accepted]);
    if (clash) return { candidate, reason: topicRefusals[clash.cause](clash.with.title) };
    accepted.push(candidate);
    return { candidate, reason: null };
  });
}

/** The keywords of an automation: each is a cluster, and the first of a cluster's topics is its pillar. */
export function clustersOf(keywords: string): string[] {
  const seen = new Set<string>();
  return keywords
    .split(',')
    .map((keyword) => keyword.trim())
    .filter((keyword) => keyword !== '' && !seen.has(topicKey(keyword)) && seen.add(topicKey(keyword)));
}

/**
 * Orders new topics so that the clusters take turns, the one with the fewest articles first. Topics are written in this order.
 * @param written how many articles each cluster has
 */
export function inTurns(
  candidates: readonly TopicCandidate[],
  clusters: readonly string[],
  written: ReadonlyMap<string, number>,
): TopicCandidate[] {
  const counts = new Map(clusters.map((cluster) => [cluster, written.get(cluster) ?? 0]));
  const left = [...candidates];
  const ordered: TopicCandidate[] = [];
  while (left.length > 0) {
    const countOf = ({ cluster }: TopicCandidate) => counts.get(cluster) ?? 0;
    const next = left.reduce((best, candidate) => (countOf(candidate) < countOf(best) ? candidate : best));
    left.splice(left.indexOf(next), 1);
    ordered.push(next);
    counts.set(next.cluster, countOf(next) + 1);
  }
  return ordered;
}
