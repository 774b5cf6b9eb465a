import { randomUUID } from 'node:crypto';
import type { PlanOf, PreviewedList } from '@decola/contracts';
import type { CanaryRecipe } from '../canary/canary-recipe.js';
import { followersList, followingList } from '../canary/recipes.js';
import { PeopleList, readPass } from '../driver/people-list.js';
import { isClosedTo } from '../network/profiles.js';
import { listWithheld } from '../network/signals.js';
import type { ListModule, RunParts } from '../runs/run-module.js';
import { done, partial, type RunEnding } from '../runs/run-report.js';
import { whyListIsEmpty } from '../sources/empty-list.js';

export const extractList: ListModule<PlanOf<'extract-list'>> = {
  async read(plan, parts) {
    const { report, control, tab, job } = parts;
    const { profiles } = parts.screens;
    const reading = randomUUID();
    const place = await parts.channel.resumeList({ ...report.identity, extractedDataId: plan.extractedDataId, reading });
    // The list is over or deleted.
    if (place.state !== 'read') return done;
    const { cursor } = place;
    report.list = { ...place, extractedDataId: plan.extractedDataId, reading, state: 'more' };
    if (plan.maxPages === 0) return partial;
    const opened = await profiles.open(plan.username);
    if (opened.kind === 'unknown' && opened.reason === 'refused') return { ...done, targetProblem: 'list_refused' };
    // A failed query says nothing about the person; the next run tries again.
    if (opened.kind === 'unknown' && opened.reason !== 'name_of_the_site') return partial;
    if (opened.kind !== 'open') return { ...done, targetProblem: 'target_gone' };
    const { profile } = opened;
    const profileTotal = plan.list === 'followers' ? profile.followers : profile.following;
    report.list = { ...report.list, profileTotal };
    if (isClosedTo(job.session.networkUserId, profile)) {
      report.list = { ...report.list, state: 'private' };
      return { ...done, targetProblem: 'target_private' };
    }
    if (profileTotal === 0) {
      report.list = { ...report.list, cursor: null, state: 'pass_ended' };
      return done;
    }
    const list = new PeopleList(tab, profiles, profile, plan.list);
    try {
      await tab.withReload(async () => {
        if (tab.path !== `/${plan.username}/`) await profiles.open(plan.username);
        await list.open(cursor);
      });
      const pass = await readPass(
        list,
        { cursor, profileTotal, maxPages: plan.maxPages },
        async (page, next, end) => {
          await report.page(page.rows, next, end);
          await parts.requireWanted();
        },
        () => control.pause(job.pace.pageGapMs),
        tab,
      );
      switch (pass.end) {
        case 'withheld':
          return await endEmptyList(plan.username, parts);
        // It concerns this list, not the account; the cursor stays, in case the network shows the list later.
        case 'refused':
        case 'silent':
          return { ...done, targetProblem: 'list_refused' };
        default:
          report.list = { ...report.list, state: pass.end };
          return pass.end === 'more' ? partial : done;
      }
    } finally {
      list.close();
    }
  },

  async preview({ username, list }, { screens, job }) {
    const opened = await screens.profiles.open(username);
    const found = (problem: PreviewedList['problem'], total: number | null = null): PreviewedList => ({ username, total, problem });
    if (opened.kind === 'gone') return found('target_gone');
    if (opened.kind === 'unknown') {
      if (opened.reason === 'refused') return found('list_refused');
      return found(opened.reason === 'name_of_the_site' ? 'target_gone' : 'unsettled');
    }
    const { profile } = opened;
    const total = list === 'followers' ? profile.followers : profile.following;
    if (isClosedTo(job.session.networkUserId, profile)) return found('target_private', total);
    return found(total === 0 ? 'source_empty' : null, total);
  },
};

/** Ends a list with an empty page where there must be people. @throws StopError row 18 unless the person's profile explains the empty page. */
async function endEmptyList(username: string, { report, tab, screens, job }: RunParts): Promise<RunEnding> {
  const evidence = { path: tab.path, got: 'empty page', pages: report.list!.nextPage };
  const why = await whyListIsEmpty(username, job.session.networkUserId, screens.profiles, report.views);
  if (why === 'withheld') throw tab.object(listWithheld(evidence));
  if (why === 'target_private') report.list = { ...report.list!, state: 'private' };
  return { ...done, targetProblem: why };
}

/** The screens that the runs need. */
export const extractListCanary: readonly CanaryRecipe[] = [followersList, followingList];
