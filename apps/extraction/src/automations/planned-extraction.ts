import { type automationCreated, type DataType, normaliseUsername, type PayloadOf, postShortcode, splitTargets } from '@decola/contracts';
import { z } from 'zod';
import { fileWords } from '../texts/texts.js';

type Automation = PayloadOf<typeof automationCreated>;

/** The list that a published automation collects. */
export interface PlannedExtraction {
  /** Assigned by automations. It stays the same over edits until the customer asks for another list. */
  id: string;
  dataType: DataType;
  fileName: string;
}

/** @returns null for an automation that collects no list */
export function plannedExtraction({ type, configuration }: Pick<Automation, 'type' | 'configuration'>): PlannedExtraction | null {
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

function fileNameOf(dataType: DataType, target: string | null): string {
  return `${fileWords[dataType]}${target === null ? '' : `-${target}`}.csv`;
}
