import { wheelSettings } from '@decola/contracts';
import { useIsFetching } from '@tanstack/react-query';
import { CodeXml, Copy, Download, ExternalLink } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { Link } from 'react-router-dom';
import { Button } from '../../../../components/ui/button';
import { TextField } from '../../../../components/ui/field';
import { Lamp } from '../../../../components/ui/lamp';
import { Card, Notice, Skeleton } from '../../../../components/ui/surface';
import { embedCodeOf, publicPageOf } from '../../../../lib/public-wheel';
import { saveFile } from '../../../../lib/save-file';
import { toast } from '../../../../lib/toast';
import { useErrorToast } from '../../../../lib/use-error-toast';
import { Region } from '../../fields/region';
import type { PublishedProps } from '../tool-steps';
import { DownloadLeads } from './download-leads';
import { shareTexts as texts } from './texts';
import { Trial } from './trial';

const QrCode = lazy(() => import('../../../../components/qr-code').then((module) => ({ default: module.QrCode })));

/** What a customer does with a published wheel: its link, its QR code, its code for a site, its leads, and a trial that costs nothing. */
export function PublishedWheel({ editing, configuration, onGo }: PublishedProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const words = texts.proposals;
  const path = publicPageOf(editing);
  // Just after its publication the token is being read.
  const isReading = useIsFetching({ queryKey: ['automation', editing.id] }) > 0 && path === null;
  useEffect(() => heading.current?.focus(), []);
  const state = path === null && !isReading ? 'draft' : editing.isActive || isReading ? 'onAir' : 'off';
  const { lamp, title, lede } = words.states[state];
  return (
    <>
      <Card className="grid grid-cols-1 gap-7 px-4 pt-5 pb-0 sm:px-7 sm:pt-7 sm:pb-0">
        <div className="grid justify-items-start gap-4">
          <Lamp state={state === 'onAir' ? 'on' : 'off'}>{lamp}</Lamp>
          <div>
            <h2 ref={heading} tabIndex={-1} className="text-xl">
              {title}
            </h2>
            <p className="mt-1 text-md text-pretty text-muted">{lede}</p>
          </div>
        </div>
        {isReading && <Skeleton className="h-64 rounded-tile" />}
        {path !== null && <Share path={path} automationId={editing.id} name={editing.name} />}
        {wheelSettings(editing.configuration).promotion.authorisation === 'to_check' && path !== null && <Notice>{words.checkLaw}</Notice>}
        <div
          data-foot
          className="sticky bottom-0 z-10 -mx-4 flex flex-wrap items-center justify-between gap-2 rounded-b-panel border-t border-line bg-surface-end px-4 pt-3 pb-[calc(0.75rem+env(safe-area-inset-bottom))] sm:-mx-7 sm:px-7 sm:py-4"
        >
          <Button variant="quiet" className="sm:-ml-3" onClick={() => onGo(1)}>
            {words.edit}
          </Button>
          <Button asChild variant="secondary">
            <Link to="/adm">{words.back}</Link>
          </Button>
        </div>
      </Card>
      <Trial configuration={configuration} />
    </>
  );
}

function Share({ path, automationId, name }: { path: string; automationId: string; name: string }) {
  const failureToast = useErrorToast();
  const words = texts.proposals;
  const qr = useRef<HTMLDivElement>(null);
  const address = window.location.origin + path;
  const embed = embedCodeOf(address, name);
  const copy = async (text: string, done: string) => {
    failureToast.clear();
    try {
      await navigator.clipboard.writeText(text);
      toast.success(done);
    } catch {
      failureToast.show(texts.copyFailed.title, { description: texts.copyFailed.text });
    }
  };
  const saveQr = () => {
    const drawing = qr.current?.querySelector('svg');
    if (!drawing) return;
    const code = drawing.cloneNode(true) as SVGElement;
    code.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
    code.setAttribute('width', '1024');
    code.setAttribute('height', '1024');
    code.removeAttribute('class');
    saveFile(new Blob([code.outerHTML], { type: 'image/svg+xml' }), words.qrFile);
  };
  const selectAll = (event: { currentTarget: HTMLInputElement | HTMLTextAreaElement }) => event.currentTarget.select();
  return (
    <>
      <Region>
        <div className="grid grid-cols-1 items-end gap-2 sm:grid-cols-[minmax(0,1fr)_auto]">
          <TextField label={texts.link} readOnly value={address} onFocus={selectAll} />
          <Button className="min-h-12" onClick={() => void copy(address, texts.copied)}>
            <Copy className="size-4.5" aria-hidden /> {words.copy}
          </Button>
        </div>
        <div className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-4">
          <div ref={qr}>
            <Suspense fallback={<Skeleton className="size-28 rounded-lg" />}>
              <QrCode text={address} label={words.qr} className="size-28" />
            </Suspense>
          </div>
          <p className="text-sm text-muted">
            <b className="block text-md font-semibold text-ink">{words.counter}</b>
            {words.counterText}
          </p>
        </div>
        <div className="flex flex-wrap gap-2 max-sm:[&>*]:grow">
          <Button asChild variant="secondary">
            <a href={path} target="_blank" rel="noreferrer">
              <ExternalLink className="size-4.5" aria-hidden /> {words.open} <span className="sr-only">{words.newTab}</span>
            </a>
          </Button>
          <Button variant="secondary" onClick={saveQr}>
            <Download className="size-4.5" aria-hidden /> {words.saveQr}
          </Button>
          <DownloadLeads automationId={automationId} />
        </div>
      </Region>
      <Region>
        <TextField
          isMultiline
          label={words.embed}
          hint={words.embedHint}
          readOnly
          rows={5}
          style={{ fontSize: '0.875rem' }}
          value={embed}
          onFocus={selectAll}
        />
        <Button
          variant="secondary"
          className="justify-self-start max-sm:justify-self-stretch"
          onClick={() => void copy(embed, texts.embedCopied)}
        >
          <CodeXml className="size-4.5" aria-hidden /> {words.copyEmbed}
        </Button>
      </Region>
    </>
  );
}
