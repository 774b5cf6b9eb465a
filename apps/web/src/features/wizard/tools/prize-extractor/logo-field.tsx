import { ImageUp } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from '../../../../components/ui/button';
import { FieldError } from '../../../../components/ui/field';
import { logoOf, LogoRefused, pictureTypes } from './logo-picture';
import { appearanceTexts as texts } from './texts';

interface LogoFieldProps {
  /** Data URL; null for none. */
  logo: string | null;
  onChange: (logo: string | null) => void;
  error: string | undefined;
}

/** A picture that the browser scales before anything is sent. */
export function LogoField({ logo, onChange, error }: LogoFieldProps) {
  const file = useRef<HTMLInputElement>(null);
  const [isReading, setReading] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const [isReady, setReady] = useState(false);
  const read = async (picture: File) => {
    setRefused(null);
    setReady(false);
    setReading(true);
    try {
      onChange(await logoOf(picture));
      setReady(true);
    } catch (problem) {
      setRefused(problem instanceof LogoRefused && problem.reason === 'too_large' ? texts.tooLarge : texts.notPicture);
    } finally {
      setReading(false);
    }
  };
  const shown = refused ?? error;
  return (
    <fieldset data-invalid={shown ? '' : undefined} aria-describedby={shown ? 'logo-error logo-hint' : 'logo-hint'}>
      <legend className="mb-2 text-md font-semibold">{texts.logo}</legend>
      <div className="grid grid-cols-[64px_minmax(0,1fr)] items-center gap-4">
        {logo === null ? (
          <span className="grid size-16 place-content-center rounded-2xl text-muted inset-ring-[1.5px] inset-ring-line">
            <ImageUp className="size-6" aria-hidden />
          </span>
        ) : (
          <img src={logo} alt={texts.logoShown} className="size-16 rounded-2xl bg-surface object-contain inset-ring inset-ring-rim" />
        )}
        <div className="flex flex-wrap gap-2">
          <Button variant="secondary" isBusy={isReading} onClick={() => file.current?.click()}>
            {logo === null ? texts.upload : texts.change}
          </Button>
          {logo !== null && (
            <Button
              variant="quiet"
              onClick={() => {
                onChange(null);
                setReady(false);
                setRefused(null);
              }}
            >
              {texts.removeLogo}
            </Button>
          )}
          <input
            ref={file}
            type="file"
            className="sr-only"
            tabIndex={-1}
            aria-label={texts.upload}
            accept={pictureTypes.join(',')}
            onChange={(event) => {
              const [picture] = event.target.files ?? [];
              // The same file may be chosen again after a refusal.
              event.target.value = '';
              if (picture) void read(picture);
            }}
          />
        </div>
      </div>
      <div className="mt-2 grid gap-2">
        {shown && <FieldError id="logo-error">{shown}</FieldError>}
        <p id="logo-hint" className="text-sm text-muted">
          {texts.logoHint}
        </p>
        <p role="status" className="sr-only">
          {isReady && texts.logoRead}
        </p>
      </div>
    </fieldset>
  );
}
