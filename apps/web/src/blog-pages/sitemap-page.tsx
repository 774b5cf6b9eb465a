import { clsx } from 'clsx';
import { Download } from 'lucide-react';
import { buttonLook } from '../components/ui/looks';
import { sitemapTexts as texts } from './texts';

interface SitemapPageProps {
  xml: string;
  /** Articles in the file. */
  articleCount: number;
  /** Articles in `xml`. */
  shownCount: number;
}

/** The sitemap as people see it; search engines get the file at `/sitemap.xml`. */
export function SitemapPage({ xml, articleCount, shownCount }: SitemapPageProps) {
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] justify-items-start gap-4">
      <h1 className="text-3xl">{texts.title}</h1>
      <p className="text-muted">{texts.text}</p>
      <a href="/sitemap.xml?download" download="sitemap.xml" className={clsx(buttonLook({ variant: 'secondary' }))}>
        <Download className="size-[18px]" aria-hidden /> {texts.download}
      </a>
      {shownCount < articleCount && <p className="text-sm text-muted">{texts.shown(shownCount, articleCount)}</p>}
      <pre tabIndex={0} role="region" aria-label={texts.file} className="sitemap-file">
        {xml}
      </pre>
    </section>
  );
}
