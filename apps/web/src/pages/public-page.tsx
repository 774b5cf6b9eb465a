import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { Logo } from '../components/logo';
import { Button } from '../components/ui/button';
import { signUpPath } from '../lib/chosen-plan';
import { classes } from '../lib/classes';
import { configuration } from '../lib/configuration';
import { hasStoredSession } from '../lib/stored-session';
import { Footer } from './footer';
import { headerLinkLook, headerLook, pageWidth, skipLinkLook } from '../components/frame-looks';
import { publicHeaderTexts as texts } from './texts';

const link = classes(headerLinkLook, 'text-muted hover:bg-sunken');

/** Header and footer of the public pages. The link to the landing page loads a new document, because the app's router does not contain that page. */
export function PublicPage({ className, children }: { className?: string; children: ReactNode }) {
  const { productName } = configuration();
  return (
    <div className="flex min-h-dvh flex-col">
      <a href="#conteudo" className={skipLinkLook}>
        {texts.skipToContent}
      </a>
      <header className={headerLook}>
        <nav aria-label={texts.label} className={classes(pageWidth, 'flex min-h-16 flex-wrap items-center gap-x-1')}>
          <Link to="/" reloadDocument className="mr-auto">
            <Logo name={productName} />
          </Link>
          <Link to="/" reloadDocument className={classes(link, 'max-sm:hidden')}>
            {texts.home}
          </Link>
          <a href="/blog" className={classes(link, 'max-[430px]:hidden')}>
            {texts.blog}
          </a>
          <a href="/#planos" className={classes(link, 'max-sm:hidden')}>
            {texts.plans}
          </a>
          <Link to="/adm" className={classes(link, 'max-[345px]:hidden')}>
            {texts.signIn}
          </Link>
          <Button asChild variant="ink" className="px-3 sm:px-[18px]">
            <Link to={hasStoredSession() ? '/adm' : signUpPath}>{texts.signUp}</Link>
          </Button>
        </nav>
      </header>
      <main id="conteudo" className={classes('flex-1 py-7 pb-24 lg:pt-11', className ?? pageWidth)}>
        {children}
      </main>
      <Footer />
    </div>
  );
}
