import { defaultAutomationName } from '@decola/contracts';
import { textOf } from '../../sentence-parts';
import type { Configuration } from '../../use-draft';
import type { Editing } from '../../use-save';

/** The wheel's name on its page: as typed, as stored, or the tool's. */
export const wheelName = (configuration: Configuration, editing: Editing | null): string =>
  textOf(configuration, 'chosenName') || (editing?.name ?? defaultAutomationName('prize-extractor', configuration));
