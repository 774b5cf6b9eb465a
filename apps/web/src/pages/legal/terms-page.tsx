import { configuration } from '../../lib/configuration';
import { LegalPage } from './legal-page';
import { termsTexts as texts } from './texts';

export function TermsPage() {
  const { productName, company = '' } = configuration();
  return <LegalPage title={texts.title} lead={texts.lead} sections={texts.sections(productName, company)} />;
}
