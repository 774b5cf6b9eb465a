import { homePath } from '../network/routes.js';
import { isTrayCall, readTray, type TrayPerson } from '../network/stories.js';
import type { SiteTab } from './site-tab.js';

/**
 * Opens the start page and reads the account's own stories tray, in its order. @throws StopError row 9 when the tray is not answered in time, and
 * row 16 when the page does not request it.
 */
export function readStoriesTray(tab: SiteTab): Promise<readonly TrayPerson[]> {
  return tab.withReload(async () => {
    const earlierDocuments = tab.documents;
    let tray: readonly TrayPerson[] | null = null;
    const stop = tab.listen((answer, document) => {
      if (document > earlierDocuments) tray = readTray(answer) ?? tray;
    });
    try {
      await tab.visit(homePath);
      const found = await tab.look<readonly TrayPerson[]>(() => tray);
      if (found) return found;
      const outage = tab.outage();
      if (outage) throw outage;
      if (tab.awaits(isTrayCall)) {
        throw tab.object({ class: 'site_trouble', row: 9, evidence: { reason: 'the stories tray is not answered' } });
      }
      throw tab.missing('stories tray');
    } finally {
      stop();
    }
  });
}
