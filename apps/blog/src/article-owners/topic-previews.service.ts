import {
  blogAutomationSettings,
  containsSession,
  misplacedSessionText,
  type PlannedTopic,
  type PreviewTopicsAnswer,
  type PreviewTopicsBody,
} from '@decola/contracts';
import { lockIds } from '@decola/messaging';
import { Clock, CONFIG, Logger } from '@decola/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { BlogConfig } from '../config/config.js';
import { LanguageModel } from '../model/language-model.service.js';
import { customerTexts } from '../texts/customer-texts.js';
import { generateTexts, runTexts } from '../texts/writing-texts.js';
import { clustersOf } from '../topics/judge-candidates.js';
import { TopicMemory } from '../topics/topic-memory.service.js';
import { TopicPlanner } from '../writing/topic-planner.service.js';
import { type AutomationCopy, findAutomation } from '../blog-automations/automation-copy.js';
import { outcomeOf } from '../writing/run-outcome.js';
import { AutomationGoneError, WritingScopes } from '../writing/writing-scopes.service.js';
import { isErased } from '../customer-articles/customer-articles.service.js';
import { countRequest } from './daily-requests.js';

/** How many topics an owner sees ahead. */
const shown = 5;
/** Calls that one preview makes: the second when the first brought too little that is new. */
const mostCalls = 2;
const mostSuggestions = 5;

/** Shows owners what their next articles will be about, and has topics proposed when too few are planned. */
@Injectable()
export class TopicPreviews {
  constructor(
    private readonly dataSource: DataSource,
    private readonly scopes: WritingScopes,
    private readonly planner: TopicPlanner,
    private readonly topics: TopicMemory,
    private readonly model: LanguageModel,
    private readonly clock: Clock,
    private readonly logger: Logger,
    @Inject(CONFIG) private readonly config: BlogConfig,
  ) {}

  async preview(
    userId: string,
    { blogAutomationId: automationId, draft, replace = false }: PreviewTopicsBody,
  ): Promise<PreviewTopicsAnswer> {
    if (containsSession(draft)) return { success: false, error: misplacedSessionText };
    const stored = await findAutomation(this.dataSource, automationId);
    const automation = draft && (!stored || isOf(userId, stored)) ? drafted(userId, automationId, draft) : stored;
    if (!automation || !isOf(userId, automation)) return { success: false, error: customerTexts.automationNotFound };
    let topics: PlannedTopic[] = [];
    try {
      const scope = await this.scopes.ofCustomer(automation);
      const clusters = clustersOf(automation.keyword);
      const planned = () => this.topics.nextPlanned(this.dataSource, scope.topics, automationId, clusters, shown);
      topics = await planned();
      const isShort = () => topics.length < shown;
      if (isShort() || replace) {
        const refusal = await this.refusalOf(userId);
        // What is planned is shown also when no more can be proposed now.
        if (refusal !== null) return topics.length > 0 && !replace ? { success: true, topics } : { success: false, error: refusal };
      }
      for (let callNumber = 1; (isShort() || (replace && callNumber === 1)) && callNumber <= mostCalls; callNumber += 1) {
        const call = { runId: null, userId, step: 'topics' };
        const judged = await this.planner.propose(scope, { clusters, automationId, call, callNumber });
        await this.dataSource.transaction(async (manager) => {
          await lockIds(manager, [userId]);
          if (await isErased(manager, userId)) return;
          const hasOthers = judged.some(({ reason }) => reason === null);
          // Only when there are others: nothing is lost by a call that brought nothing.
          if (replace && callNumber === 1 && hasOthers) await this.topics.skipPlanned(manager, scope.topics, automationId);
          await this.topics.remember(manager, scope.topics, automationId, judged);
        });
        topics = await planned();
      }
      if (topics.length > 0) return { success: true, topics };
      const suggestions = await this.topics.refusedKeywords(this.dataSource, scope.topics, automationId, mostSuggestions);
      return { success: false, error: suggestions.length > 0 ? runTexts.noTopicWith(suggestions) : runTexts.noTopic };
    } catch (error) {
      const sentence = this.sentenceOf(error);
      return topics.length > 0 && !replace ? { success: true, topics } : { success: false, error: sentence };
    }
  }

  private async refusalOf(userId: string): Promise<string | null> {
    if (!this.model.isConfigured) return generateTexts.notConfigured;
    const most = this.config.AI_PREVIEWS_PER_DAY;
    return this.dataSource.transaction(async (manager) => {
      await lockIds(manager, [userId]);
      if (await isErased(manager, userId)) return customerTexts.automationNotFound;
      const isCounted = await countRequest(manager, { userId, kind: 'preview', now: this.clock.now(), most });
      return isCounted ? null : customerTexts.previewsPerDay(most);
    });
  }

  /** What an owner reads of an error of the model. @throws every other error */
  private sentenceOf(error: unknown): string {
    if (error instanceof AutomationGoneError) return customerTexts.automationNotFound;
    const outcome = outcomeOf(error, { waits: 0, blocked: 0, ageMs: 0, ladder: [] });
    if (outcome.kind === 'retry') throw error;
    this.logger.warn({ err: error, outcome: outcome.kind }, 'topics could not be proposed');
    if (outcome.kind === 'end') return outcome.reason;
    return outcome.kind === 'next-topic' ? runTexts.policy : runTexts.provider;
  }
}

const isOf = (userId: string, { origin, userId: owner }: AutomationCopy): boolean => origin === 'customer' && owner === userId;

/** The automation as its owner has just saved it. Its topics are theirs alone, whatever the id names. */
function drafted(
  userId: string,
  id: string,
  { keyword, theme, categories, webhook_url: webhookUrl, settings }: NonNullable<PreviewTopicsBody['draft']>,
): AutomationCopy {
  return {
    ...{ id, userId, origin: 'customer', keyword, theme: theme?.trim() || null, categories: categories ?? null, webhookUrl },
    settings: blogAutomationSettings.catch({}).parse(settings ?? {}),
    // What says when articles are written has no part in their topics.
    schedule: { type: 'weekly', time: '09:00', days: [], dayOfMonth: null },
    isActive: false,
  };
}
