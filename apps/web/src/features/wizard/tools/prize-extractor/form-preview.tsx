import { handleField, wheelConsentTexts, wheelSettings } from '@decola/contracts';
import type { PreviewProps } from '../tool-steps';
import { enabledFields } from './prizes';
import { formPreviewTexts as texts, formTexts, promotionTexts } from './texts';

/** The form as visitors see it: the second step's answers, drawn small. */
export function FormPreview({ configuration, step }: PreviewProps) {
  if (step !== 2) return null;
  const { promotion, consent, theme } = wheelSettings(configuration);
  const fields = enabledFields(configuration);
  const sentences =
    consent && wheelConsentTexts({ ...promotion, ...consent, company: promotion.company || promotionTexts.proposals.yourCompany });
  return (
    <>
      <h3 className="text-sm leading-6 font-semibold font-stretch-normal tracking-normal text-muted">{texts.heading}</h3>
      <div
        role="img"
        aria-label={texts.picture}
        className="grid gap-2.5 rounded-tile bg-raised p-4 text-sm shadow-1 inset-ring inset-ring-rim [overflow-wrap:anywhere]"
      >
        {theme.logo !== null && <img src={theme.logo} alt="" className="size-10 rounded-lg object-contain" />}
        <b className="font-semibold">{texts.title}</b>
        {fields.map(({ name, label, required }) => (
          <span key={name} className="grid gap-1 text-xs font-semibold">
            {required || name === handleField.name ? label : formTexts.optional(label)}
            <span className="h-7.5 rounded-lg inset-ring inset-ring-edge" />
          </span>
        ))}
        {sentences && (
          <>
            <p className="text-xs leading-snug text-muted">{sentences.notice}</p>
            {[sentences.required, ...sentences.channels.map(({ text }) => text)].map((text) => (
              <span key={text} className="grid grid-cols-[16px_minmax(0,1fr)] gap-2 text-xs leading-snug text-muted">
                <span className="size-4 rounded-sm inset-ring-[1.5px] inset-ring-edge" />
                {text}
              </span>
            ))}
          </>
        )}
        <span className="grid h-9 place-content-center rounded-lg bg-ink font-semibold text-canvas">{texts.button}</span>
      </div>
    </>
  );
}
