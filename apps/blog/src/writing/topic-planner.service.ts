import { refusedTermsIn, topicKey } from '@decola/contracts';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { LanguageModel } from '../model/language-model.service.js';
import type { CallPurpose } from '../model/spending.service.js';
import { prompts } from '../texts/prompt-texts.js';
import { topicRefusals } from '../texts/writing-texts.js';
import { topicsAnswer } from '../runs/answer-shapes.js';
import { describeBlog, type WritingScope } from './writing-scopes.service.js';
import { inTurns, judgeCandidates, type JudgedCandidate, type TopicCandidate } from '../topics/judge-candidates.js';
import { TopicMemory } from '../topics/topic-memory.service.js';

const outputTokens = 1_200;
const longestPromptTitles = 60;

export interface TopicRequest {
  /** Keywords of the automation, one for each cluster. */
  clusters: readonly string[];
  automationId: string | null;
  call: CallPurpose;
  /** From 1: how often topics were asked for in a row. */
  callNumber: number;
  signal?: AbortSignal;
}

/** Asks the model for topics, and decides which of them are new. */
@Injectable()
export class TopicPlanner {
  constructor(
    private readonly dataSource: DataSource,
    private readonly model: LanguageModel,
    private readonly topics: TopicMemory,
  ) {}

  /** Everything that a topic may not repeat (`all`): earlier topics, pages of the site, and articles. */
  async known(scope: WritingScope) {
    const [topics, pages, titles] = await Promise.all([this.topics.known(this.dataSource, scope.topics), scope.pages(), scope.titles()]);
    const all: { title: string; focusKeyword?: string }[] = [...topics, ...[...pages, ...titles].map(({ title }) => ({ title }))];
    return { topics, all };
  }

  /**
   * Asks for topics.
   * @returns what `TopicMemory.remember` stores: new ones in the order in which they are to be written, then those that are refused
   * @throws the errors of `LanguageModel`
   */
  async propose(scope: WritingScope, { clusters, automationId, call, callNumber, signal }: TopicRequest): Promise<JudgedCandidate[]> {
    const [{ topics, all }, written] = await Promise.all([
      this.known(scope),
      this.topics.writtenByCluster(this.dataSource, scope.topics, automationId),
    ]);
    const answer = await this.model.structured({
      call,
      ...(signal ? { signal } : {}),
      instruction: prompts.topics,
      data: {
        blog: describeBlog(scope),
        keywords: clusters,
        clusters: clusters.map((cluster) => ({ cluster, articles: written.get(cluster) ?? 0 })),
        existing: all.slice(0, longestPromptTitles).map(({ title }) => title),
        refused: topics
          .filter(({ state }) => state === 'rejected' || state === 'blocked')
          .slice(0, longestPromptTitles / 3)
          .map(({ title, reason }) => ({ title, reason })),
        call: callNumber,
      },
      name: 'topics',
      schema: topicsAnswer,
      maxOutputTokens: outputTokens,
    });
    const candidates = answer.topics.map((topic) => ({ ...topic, cluster: clusterOf(topic, clusters) }));
    const judged = judgeCandidates(candidates, all).map((each) => (scope.audience === 'customer' ? withoutUnsafe(each) : each));
    const accepted = judged.filter(({ reason }) => reason === null).map(({ candidate }) => candidate);
    const ordered = inTurns(accepted, clusters, written).map((candidate) => ({ candidate, reason: null }));
    return [...ordered, ...judged.filter(({ reason }) => reason !== null)];
  }
}

/** The gate would hold an article with such a title: better none is written. */
function withoutUnsafe(judged: JudgedCandidate): JudgedCandidate {
  const { title, focusKeyword } = judged.candidate;
  const [term] = refusedTermsIn(`${title} ${focusKeyword}`, 'customer');
  return judged.reason === null && term !== undefined ? { ...judged, reason: topicRefusals.words(term) } : judged;
}

/** The cluster as the automation writes it; the first one when the model named another. */
const clusterOf = ({ cluster }: TopicCandidate, clusters: readonly string[]): string =>
  clusters.find((each) => topicKey(each) === topicKey(cluster)) ?? clusters[0] ?? cluster;
