import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { footerLinkLook, headerLinkLook, headerLook, pageWidth, skipLinkLook } from '../components/frame-looks';
import { Logo } from '../components/logo';
import { buttonLook } from '../components/ui/looks';
import { signUpPath } from '../lib/chosen-plan';
import { configuration } from '../lib/configuration';
import { frameTexts as texts } from './texts';

/**
 * Header and footer of the blog, with plain links. The gateway sends the same page to everybody, so the script leads those who are signed in to their
 * dashboard (`main.ts`).
 * @param isList whether the page is the one that the header's 'Blog' leads to
 */
export function SiteFrame({ isList, children }: { isList: boolean; children: ReactNode }) {
  const { productName, supportEmail, company } = configuration();
  return (
    <div className="flex min-h-dvh flex-col">
      <a href="#conteudo" className={skipLinkLook}>
        {texts.skipToContent}
      </a>
      <header className={clsx(headerLook, 'print:hidden')}>
        <nav aria-label={texts.navigation} className={clsx(pageWidth, 'flex min-h-16 flex-wrap items-center gap-x-1')}>
          <a href="/" className="mr-auto">
            <Logo name={productName} />
          </a>
          <a href="/" className={clsx(headerLinkLook, 'text-muted max-sm:hidden')}>
            {texts.home}
          </a>
          <a href="/blog" aria-current={isList ? 'page' : 'true'} className={clsx(headerLinkLook, 'text-ink max-[345px]:hidden')}>
            {texts.blog}
          </a>
          <a href="/#planos" className={clsx(headerLinkLook, 'text-muted max-sm:hidden')}>
            {texts.plans}
          </a>
          <a href="/adm" className={clsx(headerLinkLook, 'text-muted max-sm:hidden')}>
            {texts.signIn}
          </a>
          <a href={signUpPath} data-sign-up className={clsx(buttonLook({ variant: 'ink' }), 'px-3! sm:px-[18px]!')}>
            {texts.signUp}
          </a>
        </nav>
      </header>
      <main id="conteudo" tabIndex={-1} className={clsx(pageWidth, 'flex-1 py-7 pb-24 lg:pt-11')}>
        {children}
      </main>
      <footer className="text-sm text-muted print:hidden">
        <div className={clsx(pageWidth, 'flex flex-wrap items-center gap-x-6 gap-y-1 pt-6 pb-10 shadow-[0_-1px_0_var(--line)]')}>
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
            <a href="/termos-de-uso" className={footerLinkLook}>
              {texts.terms}
            </a>
            <a href="/blog/rss.xml" className={footerLinkLook}>
              {texts.rss}
            </a>
            {supportEmail && (
              <a href={`mailto:${supportEmail}`} className={footerLinkLook}>
                {supportEmail}
              </a>
            )}
          </nav>
          {company && <p className="w-full">{company}</p>}
        </div>
      </footer>
      <p id="toast" role="status" className="toast" />
    </div>
  );
}
