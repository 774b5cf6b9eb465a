import { type automationCreated, type DataType, normaliseUsername, type PayloadOf, postShortcode, splitTargets } from '@decola/contracts';
import { z } from 'zod';

type Facts = PayloadOf<typeof automationCreated>;

/** The list that an automation collects. */
export interface PlannedExtraction {
  /** Given by automations: the same list keeps it over edits, another list is another extraction. */
  id: string;
  dataType: DataType;
  fileName: string;
}

const fileWords: Record<DataType, string> = {
  followers: 'seguidores',
  following: 'seguindo',
  likes: 'curtidas',
  comments: 'comentarios',
  leads: 'leads',
};

/** Null for an automation that collects no list. */
export function extractionOf({ type, configuration }: Pick<Facts, 'type' | 'configuration'>): PlannedExtraction | null {
  const id = z.uuid().safeParse(configuration['extractedDataId']);
  if (!id.success) return null;
  const target = typeof configuration['targets'] === 'string' ? configuration['targets'] : '';
  if (type === 'followers-following-extractor') {
    const dataType = configuration['extractionType'] === 'following' ? 'following' : 'followers';
    return { id: id.data, dataType, fileName: fileNameOf(dataType, normaliseUsername(splitTargets(target)[0] ?? '')) };
  }
  if (type === 'post-interactions-extractor') {
    const dataType = configuration['interactionType'] === 'comments' ? 'comments' : 'likes';
    return { id: id.data, dataType, fileName: fileNameOf(dataType, postShortcode(target)) };
  }
  return null;
}

export function fileNameOf(dataType: DataType, target: string | null): string {
  return `${fileWords[dataType]}${target === null ? '' : `-${target}`}.csv`;
}
