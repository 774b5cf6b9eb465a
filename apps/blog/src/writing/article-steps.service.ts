import {
  type ArticleFields,
  countWords,
  gateArticle,
  plainText,
  repairFields,
  stemOverlap,
  usualArticleLength,
  type WorkingState,
} from '@decola/contracts';
import { Clock } from '@decola/service-kit';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { articleFromMarkdown } from '../articles/article-html.js';
import { dayInBrasilia } from '../calendar/brasilia.js';
import { Pictures } from '../images/pictures.service.js';
import { LanguageModel } from '../model/language-model.service.js';
import { BadAnswerError, BudgetReachedError, CutAnswerError, RefusedTopicError, RequestRefusedError } from '../model/model.errors.js';
import { throughOutage } from '../model/through-outage.js';
import { prompts } from '../texts/prompt-texts.js';
import { clustersOf, judgeCandidates, type TopicCandidate } from '../topics/judge-candidates.js';
import { type StoredTopic, TopicMemory } from '../topics/topic-memory.service.js';
import { TopicPlanner } from './topic-planner.service.js';
import { outlineAnswer, reviewAnswer } from '../runs/answer-shapes.js';
import { ArticleRuns } from './article-runs.service.js';
import type { AutomationCopy } from '../blog-automations/automation-copy.js';
import type { ArticleLink, RunRow, RunSteps } from '../runs/run-row.js';
import type { WrittenArticle } from '../runs/written-article.js';
import { describeBlog, type WritingScope, WritingScopes } from './writing-scopes.service.js';

/** No new topic was found in as many calls as may be made. */
export class NoTopicError extends Error {
  override readonly name = 'NoTopicError';
  /** @param suggestions keywords that the owner could add */
  constructor(readonly suggestions: readonly string[]) {
    super('no new topic was found');
  }
}

/** What all steps of a run know. */
interface Work {
  run: RunRow;
  scope: WritingScope;
  signal: AbortSignal;
}

const outputTokens = { outline: 1_800, draft: 4_200, review: 1_600, revise: 4_200 };
/** Planned topics below which more are asked for. */
const fewTopics = 3;
const mostTopicCalls = 3;
const mostLinks = 12;
const mostSuggestions = 5;
const progressEveryMs = 1_000;

/** The steps from a keyword to a finished text. Each stores what it brought before the next one begins. */
@Injectable()
export class ArticleSteps {
  constructor(
    private readonly dataSource: DataSource,
    private readonly runs: ArticleRuns,
    private readonly model: LanguageModel,
    private readonly topics: TopicMemory,
    private readonly planner: TopicPlanner,
    private readonly scopes: WritingScopes,
    private readonly pictures: Pictures,
    private readonly clock: Clock,
  ) {}

  /**
   * Makes all steps that are not stored yet.
   * @returns the run with all of them
   * @throws NoTopicError, AutomationGoneError, FencedError and the errors of `LanguageModel`
   */
  async finishSteps(claimed: RunRow, signal: AbortSignal): Promise<RunRow> {
    const work: Work = { run: claimed, scope: await this.scopes.ofRun(claimed), signal };
    if (!work.run.steps.topic) work.run = await this.choose(work);
    if (!work.run.steps.outline) work.run = await this.outline(work);
    if (work.run.steps.draft == null) work.run = await this.draft(work);
    if (work.run.steps.review == null) work.run = await this.review(work);
    if (work.run.steps.revision == null) work.run = await this.revise(work);
    if (work.run.steps.cover == null) work.run = await this.illustrate(work);
    if (work.run.steps.change && work.run.steps.rewriting == null) work.run = await this.rewrite(work);
    return work.run;
  }

  /** The text as it will be stored: as its owner wanted it changed, else the better one of draft and revision. */
  async written(run: RunRow): Promise<WrittenArticle> {
    const scope = await this.scopes.ofRun(run);
    const { rewriting } = run.steps;
    return rewriting ? this.judge(run, scope, rewriting) : (await this.better(run, scope)).article;
  }

  private async better(run: RunRow, scope: WritingScope): Promise<{ markdown: string; article: WrittenArticle }> {
    const { draft, revision } = run.steps;
    const first = { markdown: draft ?? '', article: await this.judge(run, scope, draft ?? '') };
    if (!revision || revision === 'none') return first;
    const second = { markdown: revision, article: await this.judge(run, scope, revision) };
    return second.article.report.hard.length <= first.article.report.hard.length ? second : first;
  }

  private async choose(work: Work): Promise<RunRow> {
    work.run = await this.begin(work.run, 'choosing', 'topics');
    const { run, scope } = work;
    const clusters = clustersOf(scope.automation?.keyword ?? run.keyword);
    if (!run.blog_automation_id) {
      const asked = await this.takeAskedTopic(work);
      if (asked) return asked;
    }
    for (;;) {
      const { steps } = work.run;
      const planned = await this.topics.plannedCount(this.dataSource, scope.topics, run.blog_automation_id, clusters);
      const calls = steps.topicCalls ?? 0;
      const isShort = planned === 0 || (planned < fewTopics && calls === 0 && run.blog_automation_id !== null);
      if (isShort) {
        if (calls >= mostTopicCalls) throw await this.noTopic(work);
        await this.proposeTopics(work, clusters);
      }
      const taken = await throughOutage(() =>
        this.runs.store(work.run, async (manager) => {
          const topic = await this.topics.take(manager, scope.topics, { runId: run.id, automationId: run.blog_automation_id, clusters });
          return topic ? topicResult(topic) : {};
        }),
      );
      work.run = taken;
      if (taken.steps.topic) return taken;
      if ((taken.steps.topicCalls ?? 0) >= mostTopicCalls) throw await this.noTopic(work);
    }
  }

  private async noTopic({ run, scope }: Work): Promise<NoTopicError> {
    return new NoTopicError(await this.topics.refusedKeywords(this.dataSource, scope.topics, run.blog_automation_id, mostSuggestions));
  }

  /** A person's keyword is the topic, unless there is an article like it. */
  private async takeAskedTopic({ run, scope }: Work): Promise<RunRow | undefined> {
    const candidate: TopicCandidate = {
      ...{ title: run.keyword, focusKeyword: run.keyword, cluster: run.keyword },
      ...{ intent: '', angle: '', why: '' },
    };
    const [judged] = judgeCandidates([candidate], (await this.planner.known(scope)).all);
    if (judged?.reason !== null) return undefined;
    const stored = await this.runs.store(run, async (manager) => {
      const topic = await this.topics.takeNew(manager, scope.topics, { runId: run.id, automationId: null, candidate });
      return topic ? topicResult(topic) : {};
    });
    return stored.steps.topic ? stored : undefined;
  }

  /** Asks for topics and stores them. */
  private async proposeTopics(work: Work, clusters: readonly string[]): Promise<void> {
    const { run, scope } = work;
    const callNumber = (run.steps.topicCalls ?? 0) + 1;
    const automationId = run.blog_automation_id;
    const judged = await this.planner.propose(scope, { ...this.promptFor(work, 'topics'), clusters, automationId, callNumber });
    work.run = await throughOutage(() =>
      this.runs.store(run, async (manager) => {
        await this.topics.remember(manager, scope.topics, automationId, judged);
        return { steps: { topicCalls: callNumber } };
      }),
    );
  }

  private async outline(work: Work): Promise<RunRow> {
    work.run = await this.begin(work.run, 'outlining', 'outline');
    const { run, scope } = work;
    const topic = run.steps.topic!;
    const links = await this.linksFor(run, scope);
    const outline = await this.model.structured({
      ...this.promptFor(work, 'outline'),
      instruction: run.steps.refresh ? prompts.refreshOutline : prompts.outline,
      data: {
        ...this.refreshData(run),
        title: topic.title,
        focusKeyword: topic.focusKeyword,
        angle: topic.angle,
        intent: topic.intent,
        blog: describeBlog(scope),
        categories: scope.categories,
        words: lengthOf(scope),
        links: links.map(({ ref, title }) => ({ ref, title })),
        sources: sourcesOf(scope.automation),
      },
      name: 'outline',
      schema: outlineAnswer,
      maxOutputTokens: outputTokens.outline,
    });
    return throughOutage(() => this.runs.store(run, () => ({ steps: { outline, links }, change: { title: outline.title } })));
  }

  private async draft(work: Work): Promise<RunRow> {
    work.run = await this.begin(work.run, 'drafting', 'draft');
    const { run, scope } = work;
    const draft = await this.model.text({
      ...this.promptFor(work, 'draft'),
      instruction: run.steps.refresh ? prompts.refreshDraft : prompts.draft,
      data: { ...this.refreshData(run), ...this.writingData(run, scope) },
      maxOutputTokens: outputTokens.draft,
      onText: this.progressOf(work.run),
    });
    return throughOutage(() =>
      this.runs.store(run, () => ({ steps: { draft: unwrapped(draft) }, change: { progress: countWords(draft) } })),
    );
  }

  /** The model's opinion is advice: without it the article goes on. */
  private async review(work: Work): Promise<RunRow> {
    work.run = await this.begin(work.run, 'reviewing', 'review');
    const { run, scope } = work;
    const review = await orNone(() =>
      this.model.structured({
        ...this.promptFor(work, 'review'),
        isReview: true,
        instruction: prompts.review,
        data: { ...this.writingData(run, scope), article: run.steps.draft },
        name: 'review',
        schema: reviewAnswer,
        maxOutputTokens: outputTokens.review,
      }),
    );
    return throughOutage(() => this.runs.store(run, () => ({ steps: { review } })));
  }

  /** Only what the gate refuses is revised, once. A revision that cannot be had leaves the draft for a person. */
  private async revise(work: Work): Promise<RunRow> {
    work.run = await this.begin(work.run, 'reviewing', 'revise');
    const { run, scope } = work;
    const { report } = await this.judge(run, scope, run.steps.draft ?? '');
    const advice = run.steps.review === 'none' || !run.steps.review ? [] : run.steps.review.problems;
    const revision = report.passed
      ? 'none'
      : await orNone(() =>
          this.model.text({
            ...this.promptFor(work, 'revise'),
            instruction: prompts.revise,
            data: {
              ...this.writingData(run, scope),
              problems: [...report.hard.map(({ sentence, quote }) => ({ quote: quote ?? null, fix: sentence })), ...advice.slice(0, 10)],
              article: run.steps.draft,
            },
            maxOutputTokens: outputTokens.revise,
          }),
        );
    return throughOutage(() => this.runs.store(run, () => ({ steps: { revision: revision === 'none' ? revision : unwrapped(revision) } })));
  }

  private async illustrate(work: Work): Promise<RunRow> {
    work.run = await this.begin(work.run, 'illustrating', 'image');
    const { run, scope, signal } = work;
    const outline = run.steps.outline!;
    const cover =
      scope.automation?.settings.image === false
        ? ('none' as const)
        : await this.pictures.coverFor({
            title: outline.title,
            brief: outline.imageBrief,
            alt: outline.imageAlt,
            about: scope.audience === 'customer' ? scope.about : null,
            runId: run.id,
            userId: run.user_id,
            signal,
          });
    return throughOutage(() => this.runs.store(run, () => ({ steps: { cover } })));
  }

  /** Writes the text anew with the change that its owner asked for. Without an answer the article stays as it was. */
  private async rewrite(work: Work): Promise<RunRow> {
    work.run = await this.begin(work.run, 'drafting', 'rewrite');
    const { run, scope } = work;
    const { note, text } = run.steps.change!;
    const prompt = this.promptFor(work, 'rewrite');
    const rewriting = await this.model.text({
      ...prompt,
      // The article's own calls may have used its tokens up.
      call: { ...prompt.call, isExtra: true },
      instruction: prompts.rewrite,
      data: { ...this.writingData(run, scope), change: note, article: text ?? (await this.better(run, scope)).markdown },
      maxOutputTokens: outputTokens.revise,
      onText: this.progressOf(work.run),
    });
    return throughOutage(() =>
      this.runs.store(run, () => ({ steps: { rewriting: unwrapped(rewriting) }, change: { progress: countWords(rewriting) } })),
    );
  }

  private async judge(run: RunRow, scope: WritingScope, markdown: string): Promise<WrittenArticle> {
    const { outline, topic, links } = run.steps;
    const refs = new Map((links ?? []).map(({ ref, href, kind }) => [ref, { href, kind }] as const));
    const { html, text } = articleFromMarkdown(markdown, { refs, site: scope.site });
    const { title, slug, metaTitle, metaDescription, excerpt, category, tags } = outline!;
    const { categories } = scope;
    const fields = repairFields<ArticleFields>(
      { title, slug: slug || title, metaTitle, metaDescription, excerpt, category, tags, focusKeyword: topic!.focusKeyword },
      text,
      { categories },
    );
    const report = gateArticle(
      { ...fields, text },
      {
        audience: scope.audience,
        length: lengthOf(scope),
        categories,
        given: givenFacts(run, scope.automation),
        inventorySize: (links ?? []).filter(({ kind }) => kind === 'inventory').length,
        earlier: await scope.compared(),
        now: this.clock.now(),
      },
    );
    return { fields, category: scope.hasCategories ? fields.category : null, html, text: plainText(text), report };
  }

  private async begin(run: RunRow, state: WorkingState, step: string): Promise<RunRow> {
    return this.runs.store(run, () => ({ change: { state, step, progress: null } }));
  }

  private promptFor({ run, signal }: Work, step: string) {
    return { call: { runId: run.id, userId: run.user_id, step }, signal };
  }

  /** The pages nearest to the topic, and the owner's sources. */
  private async linksFor({ steps }: RunRow, scope: WritingScope): Promise<ArticleLink[]> {
    const subject = `${steps.topic!.title} ${steps.topic!.focusKeyword}`;
    const near = (await scope.pages())
      .map(({ title, href }) => ({ title, href, kind: 'inventory' as const, nearness: stemOverlap(subject, title) }))
      .sort((one, other) => other.nearness - one.nearness)
      .slice(0, mostLinks);
    const sources = sourcesOf(scope.automation).flatMap(({ title, url }) => (url ? [{ title, href: url, kind: 'source' as const }] : []));
    const { links: present = [], deadLinks = [] } = steps.refresh ?? {};
    const alive = [...present, ...near, ...sources].filter(({ href }) => !deadLinks.includes(href));
    const once = [...new Map(alive.toReversed().map((link) => [link.href, link])).values()].toReversed();
    return once.map(({ title, href, kind }, index) => ({ ref: index + 1, title, href, kind }));
  }

  /** The article as it is, and what is to be mended in it. */
  private refreshData({ steps }: RunRow) {
    if (!steps.refresh) return {};
    const { tasks, article } = steps.refresh;
    return { refresh: { today: dayInBrasilia(this.clock.now()), tasks, article } };
  }

  private writingData(run: RunRow, scope: WritingScope) {
    const { topic, outline, links } = run.steps;
    return {
      title: outline!.title,
      focusKeyword: topic!.focusKeyword,
      angle: topic!.angle,
      sections: outline!.sections,
      words: lengthOf(scope),
      links: (links ?? []).map(({ ref, title }) => ({ ref, title })),
      blog: describeBlog(scope),
      sources: sourcesOf(scope.automation),
    };
  }

  /** Shows the number of words at most once a second; a replica that lost the run notices it at its next step. */
  private progressOf(run: RunRow): (text: string) => void {
    let shownAt = 0;
    return (text) => {
      if (performance.now() - shownAt < progressEveryMs) return;
      shownAt = performance.now();
      this.runs.showProgress(run, countWords(text)).catch(() => undefined);
    };
  }
}

const topicResult = (topic: StoredTopic): { steps: RunSteps; change: { topicId: string } } => ({
  steps: {
    topic: {
      id: topic.id,
      title: topic.title,
      focusKeyword: topic.focus_keyword,
      cluster: topic.cluster,
      intent: topic.intent,
      angle: topic.angle,
    },
  },
  change: { topicId: topic.id },
});

const lengthOf = ({ automation }: WritingScope): { min: number; max: number } => automation?.settings.length ?? usualArticleLength;

const sourcesOf = (automation: AutomationCopy | undefined) => automation?.settings.sources ?? [];

/** What an article may state as a fact: all that its owner wrote. */
function givenFacts({ keyword, theme, steps }: RunRow, automation: AutomationCopy | undefined): string[] {
  const { brief } = automation?.settings ?? {};
  // What stands on the owner's site was approved by them.
  return [
    keyword,
    theme ?? '',
    brief ?? '',
    steps.refresh?.article ?? '',
    ...sourcesOf(automation).flatMap(({ title, text }) => [title, text]),
  ].filter((text) => text !== '');
}

/** Removes a fence around the whole text. */
const unwrapped = (markdown: string): string =>
  /^```(?:markdown|md)?\n([\s\S]*?)\n```$/i.exec(markdown.trim())?.[1]?.trim() ?? markdown.trim();

/** For calls whose answer an article can do without. */
async function orNone<Value>(call: () => Promise<Value>): Promise<Value | 'none'> {
  try {
    return await call();
  } catch (error) {
    const isMissing =
      error instanceof BadAnswerError ||
      error instanceof CutAnswerError ||
      error instanceof RefusedTopicError ||
      error instanceof RequestRefusedError ||
      (error instanceof BudgetReachedError && error.scope === 'article');
    if (isMissing) return 'none';
    throw error;
  }
}
