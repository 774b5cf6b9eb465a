import { tools } from '@decola/contracts';
import { ArrowRight } from 'lucide-react';
import { Link } from 'react-router-dom';
import { articlesLinkTexts as texts, toolGridTexts } from './texts';

/** The way to the articles for a customer's site. The specification has seven cards, and none for them. */
export function ArticlesLink() {
  return (
    <p className="mt-3 flex flex-wrap items-center gap-x-2 text-md text-muted">
      {texts.question}
      <Link to="/automation/blog-automation" className="inline-flex min-h-11 items-center gap-1.5 link">
        {texts.name} <ArrowRight className="size-4" aria-hidden />
      </Link>
      <span className="text-sm">{texts.uses(toolGridTexts.slots(tools['blog-automation'].slotCost))}</span>
    </p>
  );
}
