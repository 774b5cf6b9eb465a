import { actionsPerRun, type AutomationType, normaliseConfiguration } from '@decola/contracts';
import type { Configuration } from './use-draft';

/** Keys of a draft that are not sent to the server. */
const ownKeys: ReadonlySet<string> = new Set(['chosenAccount', 'chosenName']);

/** The configuration that is sent for a draft; an empty number of actions becomes the default. */
export function configurationToSave(type: AutomationType, draft: Configuration, session: Configuration): Configuration {
  const kept = Object.fromEntries(Object.entries(draft).filter(([key]) => !ownKeys.has(key)));
  const actions = kept['rowsPerLaunch'];
  return normaliseConfiguration(type, {
    ...kept,
    ...('rowsPerLaunch' in kept && (actions === '' || actions === null) ? { rowsPerLaunch: actionsPerRun.default } : {}),
    ...session,
  });
}

const isEmpty = (value: unknown) => value === undefined || value === null || value === '';

/** Whether two configurations are equivalent; an absent field equals an empty one. */
export function isSameConfiguration(one: Configuration, other: Configuration): boolean {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].every(
    (key) => (isEmpty(one[key]) && isEmpty(other[key])) || JSON.stringify(one[key]) === JSON.stringify(other[key]),
  );
}
