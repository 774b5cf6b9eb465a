import { useLiveUpdates } from '../../lib/live';

/** Hears what changes while the panel is shown. Loaded after the panel, which asks by the clock until then. */
export function LiveUpdates({ userId }: { userId: string }) {
  useLiveUpdates(userId);
  return null;
}
