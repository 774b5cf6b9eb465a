import { ChevronDown } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { classes } from '../../lib/classes';
import { configuration } from '../../lib/configuration';
import { formatDate } from '../../lib/format';
import { usePageTitle } from '../../lib/page-title';
import { PublicPage } from '../public-page';
import { type Block, type LegalSection, legalTexts } from './texts';

interface LegalPageProps {
  title: string;
  lead: string;
  sections: readonly LegalSection[];
  /** Shown between the title and the text. */
  children?: ReactNode;
}

/** A long text with a table of contents: next to the text from 1024 px on, collapsible on narrower screens. */
export function LegalPage({ title, lead, sections, children }: LegalPageProps) {
  usePageTitle(title);
  const [isWide] = useState(() => window.matchMedia('(width >= 64rem)').matches);
  return (
    <PublicPage>
      <header className="mb-7 grid max-w-205 grid-cols-1 gap-3.5">
        <h1 className="text-[clamp(2.375rem,1.4rem+4vw,4.25rem)] leading-[0.98] font-[680] tracking-[-0.042em] wrap-anywhere hyphens-auto outline-none">
          {title}
        </h1>
        <p className="text-lg text-muted">{lead}</p>
        <p className="text-sm text-muted">{legalTexts.changed(formatDate(legalTexts.changedAt))}</p>
      </header>
      {children}
      <div className="grid grid-cols-1 gap-x-16 lg:grid-cols-[264px_minmax(0,720px)]">
        <details
          open={isWide}
          className="group mb-7 rounded-tile px-4 py-1 inset-ring-[1.5px] inset-ring-line lg:sticky lg:top-22 lg:mb-0 lg:max-h-[calc(100vh-104px)] lg:self-start lg:overflow-y-auto lg:rounded-none lg:px-0 lg:inset-ring-0"
        >
          <summary className="flex min-h-13 cursor-pointer list-none items-center justify-between font-semibold lg:pointer-events-none [&::-webkit-details-marker]:hidden">
            {legalTexts.contents}
            <ChevronDown className="size-5 text-muted transition-[rotate] duration-240 group-open:rotate-180 lg:hidden" aria-hidden />
          </summary>
          <nav aria-label={legalTexts.contents}>
            <ol>
              {sections.map((section, index) => (
                <li key={section.id}>
                  <a
                    href={`#${section.id}`}
                    className="grid min-h-11 grid-cols-[26px_minmax(0,1fr)] items-center rounded-lg py-1.5 text-md leading-snug text-muted hover:text-ink"
                  >
                    <span aria-hidden>{index + 1}</span>
                    {section.title}
                  </a>
                </li>
              ))}
            </ol>
          </nav>
        </details>
        <div className="max-w-180 min-w-0 text-[1.0625rem] leading-[1.68]">
          {sections.map(({ id, title: heading, blocks }, index) => (
            <section
              key={id}
              aria-labelledby={id}
              className="grid grid-cols-1 gap-4.5 not-first:mt-11 not-first:pt-9 not-first:shadow-[0_-1px_0_var(--line)]"
            >
              <h2
                id={id}
                className="grid scroll-mt-22 grid-cols-[auto_minmax(0,1fr)] gap-3.5 wrap-anywhere text-[clamp(1.5rem,1.2rem+1.2vw,2rem)] tracking-[-0.028em]"
              >
                <span className="font-[450] text-muted" aria-hidden>
                  {index + 1}
                </span>
                {heading}
              </h2>
              {blocks.map((block, place) => (
                <LegalBlock key={place} block={block} />
              ))}
            </section>
          ))}
        </div>
      </div>
    </PublicPage>
  );
}

function LegalBlock({ block }: { block: Block }) {
  if (typeof block === 'string') return <p>{block}</p>;
  if ('list' in block) {
    const List = block.isOrdered ? 'ol' : 'ul';
    return (
      <List className="grid gap-2.5">
        {block.list.map((item, index) => (
          <li key={index} className="grid grid-cols-[26px_minmax(0,1fr)]">
            <span aria-hidden className={classes(block.isOrdered ? 'font-[660]' : 'mt-2.5 h-3.5 w-[5px] rounded-[1.5px] bg-ink')}>
              {block.isOrdered && index + 1}
            </span>
            {typeof item === 'string' ? (
              item
            ) : (
              <span>
                <b className="font-semibold">{item[0]}</b> {item[1]}
              </span>
            )}
          </li>
        ))}
      </List>
    );
  }
  if ('columns' in block) return <LegalTable {...block} />;
  if ('links' in block)
    return block.links.map(({ href, label }) => (
      <p key={href}>
        <a href={href} className="link inline-flex min-h-11 items-center">
          {label}
        </a>
      </p>
    ));
  return <Mailboxes {...block} />;
}

/** On a phone a row becomes a block: its first cell on a line of its own, the others below with the names of their columns. */
function LegalTable({ columns, rows }: { columns: readonly string[]; rows: readonly (readonly string[])[] }) {
  return (
    <table className="w-full text-md leading-[1.45] max-md:block">
      <thead className="max-md:sr-only">
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col" className="py-3 pr-3 text-left text-sm font-semibold text-muted shadow-[0_1px_0_var(--line)]">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="max-md:block">
        {rows.map((row) => (
          <tr key={row[0]} className="align-top max-md:block max-md:py-3.5 max-md:shadow-[0_1px_0_var(--line)]">
            {row.map((cell, index) => (
              <td
                key={columns[index]}
                className="max-md:block md:py-3 md:pr-3 md:shadow-[0_1px_0_var(--line)] max-md:first:font-semibold max-md:not-first:text-muted"
              >
                {index > 0 && <span className="font-[550] md:hidden">{columns[index]}: </span>}
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Mailboxes({ mailboxes }: Extract<Block, { mailboxes: unknown }>) {
  const { privacyEmail, dpoEmail, supportEmail } = configuration();
  const addresses = { privacy: privacyEmail, officer: dpoEmail, support: supportEmail };
  return mailboxes.map(({ label, of }) => (
    <div key={of} className="grid gap-0.5 rounded-tile bg-sunken px-5 py-4">
      <b className="font-semibold">{label}</b>
      <a className="link inline-flex min-h-11 items-center break-all" href={`mailto:${addresses[of]}`}>
        {addresses[of]}
      </a>
    </div>
  ));
}
