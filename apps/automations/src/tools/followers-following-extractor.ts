import type { RunModule } from './run-module.js';
import { previewTexts } from '../texts/texts.js';
import { previewOfList } from './list-preview.js';
import { usernamesOf } from './sources.js';

export const extractList: RunModule<'extract-list'> = {
  // Start page, the profile, one reload.
  leastViews: 3,
  plan({ configuration, room }) {
    const [username] = usernamesOf(configuration);
    const { extractedDataId } = configuration;
    if (!username || typeof extractedDataId !== 'string') return null;
    const list = configuration['extractionType'] === 'following' ? 'following' : 'followers';
    return { kind: 'extract-list', list, username, extractedDataId, maxPages: room };
  },
  isStillPlanned: (plan, configuration) => plan.extractedDataId === configuration['extractedDataId'],
  preview: {
    item: ({ username, list }, found) =>
      previewOfList({ username, postCode: null }, found, (total) => previewTexts.people(list, username, total)),
  },
  readsLists: () => true,
};
