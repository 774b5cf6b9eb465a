import type { CollectedPerson } from '@decola/contracts';
import type { ElementHandle } from 'playwright';
import { isLikersCall, isLikersRefusal, readLikers } from '../network/likers.js';
import { isSamePath, likersPath } from '../network/routes.js';
import type { SiteTab } from './site-tab.js';

/** Why the likers of a post cannot be read. `refused`: the network does not show them to this account. `silent`: they were not answered. */
export type NoLikers = 'refused' | 'silent';

/** Who likes a post: a sample that the network shows in one piece, in a dialog over the post or on a page of its own. */
export class LikersList {
  constructor(private readonly tab: SiteTab) {}

  /**
   * Opens the likers of the open post by the post's link, or at their own address when the post shows no link. @returns null when the list is not
   * offered because its author hides the likes. @throws as `SiteTab.check`, and as `SiteTab.missing` when the page does not request the likers.
   */
  async read(code: string, areHidden: boolean): Promise<readonly CollectedPerson[] | NoLikers | null> {
    const path = likersPath(code);
    const answers: { people: readonly CollectedPerson[] | null; wasRefused: boolean } = { people: null, wasRefused: false };
    const openDocument = this.tab.documents;
    const stopListening = this.tab.listen((answer, document) => {
      if (document < openDocument) return;
      answers.people ??= readLikers(answer);
      answers.wasRefused ||= isLikersRefusal(answer);
    });
    try {
      // A post whose likes are hidden shows no link; another one may show it a moment after its answer.
      const link = areHidden ? await this.findLink(path) : await this.tab.look(() => this.findLink(path));
      if (!link && areHidden) return null;
      if (!link || !(await this.tab.click(link))) await this.tab.visit(path);
      const found = await this.tab.look(() => answers.people ?? (answers.wasRefused ? 'refused' : null));
      if (found !== null) return found;
      const outage = this.tab.outage();
      if (outage) throw outage;
      if (!this.tab.awaits(isLikersCall)) throw this.tab.missing('likers of a post');
      return 'silent';
    } finally {
      stopListening();
    }
  }

  private async findLink(path: string): Promise<ElementHandle | null> {
    for (const link of await this.tab.page.$$('a[href*="/liked_by/"]')) {
      if (isSamePath((await link.getAttribute('href')) ?? '', path)) return link;
    }
    return null;
  }
}
