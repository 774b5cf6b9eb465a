import type { ReactNode } from 'react';
import { footerLinkLook, headerLinkLook, headerLook, pageWidth, skipLinkLook } from '../../components/frame-looks';
import { Logo } from '../../components/logo';
import { Button } from '../../components/ui/button';
import { classes } from '../../lib/classes';
import { configuration } from '../../lib/configuration';
import { hasStoredSession } from '../../lib/stored-session';
import { frameTexts as texts } from './texts';

const link = classes(headerLinkLook, 'text-muted hover:bg-sunken');

/** Header and footer of the site, with plain links: these pages have no router. */
export function SiteFrame({ children }: { children: ReactNode }) {
  const { productName } = configuration();
  return (
    <div className="site-frame flex min-h-dvh flex-col">
      <a href="#conteudo" className={skipLinkLook}>
        {texts.skipToContent}
      </a>
      <header className={classes(headerLook, 'print:hidden')}>
        <nav aria-label={texts.navigation} className={classes(pageWidth, 'flex min-h-16 flex-wrap items-center gap-x-1')}>
          <a href="/" className="mr-auto">
            <Logo name={productName} />
          </a>
          <a href="/" className={classes(link, 'max-sm:hidden')}>
            {texts.home}
          </a>
          <a href="/blog" className={classes(link, 'max-[430px]:hidden')}>
            {texts.blog}
          </a>
          <a href="/adm" className={classes(link, 'max-[345px]:hidden')}>
            {texts.signIn}
          </a>
          <Button asChild variant="ink" className="px-3 sm:px-[18px]">
            <a href={hasStoredSession() ? '/adm' : '/auth?mode=sign-up'}>{texts.signUp}</a>
          </Button>
        </nav>
      </header>
      <main id="conteudo" className={classes(pageWidth, 'flex-1 py-7 pb-24 lg:pt-11')}>
        {children}
      </main>
      <footer className="text-sm text-muted print:hidden">
        <div className={classes(pageWidth, 'flex flex-wrap items-center gap-x-6 gap-y-1 pt-6 pb-10 shadow-[0_-1px_0_var(--line)]')}>
          <a href="/" className="mr-auto text-ink">
            <Logo name={productName} />
          </a>
          <nav aria-label={texts.footer} className="flex flex-wrap gap-x-6">
            <a href="/blog" className={footerLinkLook}>
              {texts.blog}
            </a>
            <a href="/politica-de-privacidade" className={footerLinkLook}>
              {texts.privacy}
            </a>
          </nav>
        </div>
      </footer>
    </div>
  );
}
