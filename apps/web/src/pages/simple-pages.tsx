import { Link } from 'react-router-dom';
import { Button } from '../components/ui/button';
import { classes } from '../lib/classes';
import { usePageTitle } from '../lib/page-title';
import { PublicPage } from './public-page';
import { notFoundTexts } from './texts';

const centred = 'grid content-center justify-items-center gap-3 px-4 py-12 text-center';

export function NotFoundPage() {
  usePageTitle(notFoundTexts.title);
  return (
    <PublicPage className={classes(centred, 'lost')}>
      <b aria-hidden className="display text-[clamp(4rem,20vw,8rem)] leading-[0.9] font-[680] tracking-[-0.05em]">
        404
      </b>
      <h1 className="text-xl outline-none">{notFoundTexts.title}</h1>
      <p className="text-muted">{notFoundTexts.text}</p>
      <Button asChild size="large" className="mt-2">
        <Link to="/" reloadDocument>
          {notFoundTexts.home}
        </Link>
      </Button>
    </PublicPage>
  );
}
