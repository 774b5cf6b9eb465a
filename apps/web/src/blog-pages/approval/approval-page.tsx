import { type ApprovalAnswer, type ApprovalPage, srcsetOf } from '@decola/contracts';
import { clsx } from 'clsx';
import { AlertTriangle, Check, FileText } from 'lucide-react';
import type { ReactNode } from 'react';
import { pageWidth, skipLinkLook } from '../../components/frame-looks';
import { Logo } from '../../components/logo';
import { buttonLook } from '../../components/ui/looks';
import { configuration } from '../../lib/configuration';
import { markClaims } from '../../lib/mark-claims';
import { prepareArticleHtml } from '../article-html';
import { Cover } from '../cover';
import { articleTexts } from '../texts';
import { Decisions } from './decisions';
import { approvalTexts as texts } from './texts';

type Open = Extract<ApprovalAnswer, { state: 'open' }>;

const dayAndMonth = new Intl.DateTimeFormat('pt-BR', { day: 'numeric', month: 'long', timeZone: 'America/Sao_Paulo' });

/** The page of a mail about an article: it works without a script, and only its forms decide. */
export function Approval({ page }: { page: ApprovalPage }) {
  const answer = page.kind === 'answer' ? page.answer : null;
  return (
    <div className="min-h-dvh">
      <a href="#conteudo" className={skipLinkLook}>
        {texts.skipToContent}
      </a>
      <header className="shadow-[0_1px_0_var(--rim)]">
        <div className={clsx(pageWidth, 'flex min-h-16 items-center gap-3')}>
          <a href="/" className="mr-auto">
            <Logo name={configuration().productName} />
          </a>
          {answer?.state === 'open' && (
            <p className="min-w-0 text-right text-sm wrap-anywhere text-muted">
              {texts.for} <b className="font-semibold text-ink">{answer.article.siteKey}</b>
            </p>
          )}
        </div>
      </header>
      <main id="conteudo" tabIndex={-1} className={clsx(pageWidth, 'pb-16 outline-none')}>
        {contentOf(page)}
      </main>
    </div>
  );
}

function contentOf(page: ApprovalPage): ReactNode {
  if (page.kind === 'too-many') return <Failed title={texts.tooMany} address={page.address} />;
  if (page.kind === 'failed') return <Failed title={texts.failed} text={texts.failedText} address={page.address} />;
  const { answer, address, refused } = page;
  switch (answer.state) {
    case 'open':
      return <Decide answer={answer} address={address} refused={refused} />;
    case 'decided': {
      const { title, text } = texts.decided[answer.decision];
      return <End isDone title={title} text={text(answer.title)} />;
    }
    case 'expired':
      return <End title={texts.expired.title} text={texts.expired.text(answer.title)} />;
    case 'unknown':
      return <End title={texts.unknown.title} text={texts.unknown.text} />;
  }
}

type Refused = Extract<ApprovalPage, { kind: 'answer' }>['refused'];

function Decide({ answer, address, refused }: { answer: Open; address: string; refused: Refused }) {
  const { article, reason, until } = answer;
  const isDraft = article.publishMode === 'draft';
  return (
    <div className="approval">
      <Article article={article} />
      <aside className="decide" aria-label={texts.decision}>
        <div className="decide-head">
          <p className="lamp" data-lamp="warn">
            <span className="light" aria-hidden />
            {reason === null ? texts.waiting : texts.needsYou(reason)}
          </p>
          <h2 className="text-xl">{isDraft ? texts.questionDraft : texts.question}</h2>
          <p className="mt-1.5 text-md text-muted">{texts.until(dayAndMonth.format(new Date(until)))}</p>
        </div>
        <Decisions nonce={answer.nonce} canChange={answer.canChange} isDraft={isDraft} address={address} refused={refused} />
        <Claims claims={article.claims} />
        <Facts article={article} isDraft={isDraft} />
      </aside>
    </div>
  );
}

function Article({ article }: { article: Open['article'] }) {
  const { title, excerpt, category, image, claims, contentHtml } = article;
  const marked = markClaims(
    contentHtml,
    claims.map(({ quote }) => ({ quote, reason: '' })),
    texts.claim,
  );
  const { html } = prepareArticleHtml(marked, { table: articleTexts.table, code: articleTexts.code });
  return (
    <article className="approval-sheet" data-tool="blog">
      {category !== null && <p className="category">{category}</p>}
      <h1>{title}</h1>
      {excerpt !== '' && <p className="standfirst">{excerpt}</p>}
      {image !== null && (
        <figure className="my-6">
          <Cover
            article={{ id: title, picture: { ...image, srcset: srcsetOf(image.src) } }}
            isFirst
            sizes="(min-width: 1024px) 720px, calc(100vw - 32px)"
          />
        </figure>
      )}
      {/* Cleaned when it was written (apps/blog). */}
      <div className="prose" dangerouslySetInnerHTML={{ __html: html }} />
    </article>
  );
}

function Claims({ claims }: { claims: Open['article']['claims'] }) {
  if (claims.length === 0) return null;
  return (
    <div className="decide-claims">
      <h3 className="mb-2.5 text-sm font-semibold font-stretch-normal text-muted">{texts.claims(claims.length)}</h3>
      <ol>
        {claims.map(({ quote, verdict }, index) => (
          <li key={index}>
            <i aria-hidden>{index + 1}</i>
            <b>“{quote}”</b>
            <span>{texts.verdicts[verdict] ?? verdict}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}

function Facts({ article, isDraft }: { article: Open['article']; isDraft: boolean }) {
  const facts = [
    [texts.goesTo, article.siteKey],
    [texts.how, isDraft ? texts.asDraft : texts.published],
    ...(article.category === null ? [] : [[texts.category, article.category]]),
  ] as const;
  return (
    <dl className="decide-facts" aria-label={texts.facts}>
      {facts.map(([term, value]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** What is left to say when there is nothing to decide. */
function End({ title, text, isDone = false }: { title: string; text: string; isDone?: boolean }) {
  const Icon = isDone ? Check : FileText;
  return (
    <section className="approval-end">
      <Icon className={clsx('size-10', isDone ? 'text-success' : 'text-muted')} aria-hidden />
      <h1 className="text-2xl">{title}</h1>
      <p>{text}</p>
      <a href="/artigos" className={clsx(buttonLook({}), 'mt-3')}>
        {texts.diary}
      </a>
    </section>
  );
}

function Failed({ title, text, address }: { title: string; text?: string; address: string }) {
  return (
    <section role="alert" className="failure mt-10">
      <AlertTriangle className="size-8 text-danger" aria-hidden />
      <h1 className="text-xl">{title}</h1>
      {text !== undefined && <p className="text-muted">{text}</p>}
      <a href={address} className={buttonLook({ variant: 'secondary' })}>
        {texts.retry}
      </a>
    </section>
  );
}
