import { fieldText, postAuthor, postShortcode } from '@decola/contracts';
import { previewTexts } from '../texts/texts.js';
import { previewOfList } from './list-preview.js';
import type { RunModule } from './run-module.js';

export const extractInteractions: RunModule<'extract-interactions'> = {
  // Start page, the post, one reload.
  leastViews: 3,
  // A run that reads on begins at the top of the comments all the same: with fewer pages it would not get further.
  leastPages: ({ interactionType }) => (interactionType === 'comments' ? 10 : 1),
  plan({ configuration, room }) {
    const post = fieldText(configuration, 'targets');
    const postCode = postShortcode(post);
    const { extractedDataId } = configuration;
    if (postCode === null || typeof extractedDataId !== 'string') return null;
    const list = configuration['interactionType'] === 'comments' ? 'comments' : 'likes';
    return { kind: 'extract-interactions', list, postCode, author: postAuthor(post), extractedDataId, maxPages: room };
  },
  isStillPlanned: (plan, configuration) => plan.extractedDataId === configuration['extractedDataId'],
  preview: {
    item: ({ list, author, postCode }, found) =>
      previewOfList({ username: found.username ?? author ?? '', postCode }, found, previewTexts.interactions[list]),
  },
  readsLists: ({ interactionType }) => interactionType !== 'comments',
};
