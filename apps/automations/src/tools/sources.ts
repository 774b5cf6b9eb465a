import {
  normaliseHashtag,
  normaliseUsername,
  type RawConfiguration,
  sourceExtractionId,
  splitTargets,
  type TargetSource,
} from '@decola/contracts';
import { previewTexts } from '../texts/texts.js';

/** All sources of people or posts that a configuration names, in its order. */
export function sourcesOf(configuration: RawConfiguration): TargetSource[] {
  const extractedDataId = sourceExtractionId(configuration);
  if (extractedDataId) return [{ kind: 'slot', extractedDataId }];
  switch (configuration['method']) {
    case 'feed':
      return [{ kind: 'feed' }];
    case 'list':
      return usernamesOf(configuration).map((username) => ({ kind: 'list', username }));
    case 'hashtag':
      return targetsOf(configuration).flatMap((tag) => {
        const hashtag = normaliseHashtag(tag);
        return hashtag === null ? [] : { kind: 'hashtag' as const, hashtag };
      });
    default:
      return [];
  }
}

/** The source whose turn it is: several targets of one configuration take turns. Null when there is none. */
export function sourceOfTurn<Source>(sources: readonly Source[], runNumber: number): Source | null {
  return sources[runNumber % sources.length] ?? null;
}

/** Why a person, a post or somebody's stories are a target, by where they were found. */
export function whyFrom(source: TargetSource, target: 'person' | 'post' | 'story'): string {
  switch (source.kind) {
    case 'hashtag':
      return previewTexts.fromHashtag[target](source.hashtag);
    case 'list':
      return previewTexts.follower(source.username);
    case 'slot':
      return previewTexts.fromSlot[target];
    case 'feed':
      return previewTexts.fromFeed[target];
  }
}

/** The profiles that a configuration names. */
export function usernamesOf(configuration: RawConfiguration): string[] {
  return targetsOf(configuration).flatMap((user) => normaliseUsername(user) ?? []);
}

function targetsOf(configuration: RawConfiguration): string[] {
  return typeof configuration['targets'] === 'string' ? splitTargets(configuration['targets']) : [];
}
