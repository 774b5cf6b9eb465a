import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useEffect, useState } from 'react';
import { toast } from 'sonner';
import { Button } from '../../components/ui/button';
import { Notice } from '../../components/ui/surface';
import { ApiError, callFunction } from '../../lib/runtime';

const fileName = 'decola-dados.zip';

function save(content: Blob) {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.click();
  // The browser has taken its own copy by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Everything we hold about the person, in one archive. */
export function ExportCard() {
  const download = useMutation({
    mutationFn: async () => {
      const content = await callFunction<unknown>('export-account');
      if (!(content instanceof Blob)) throw new ApiError('');
      save(content);
    },
    onSuccess: () => toast.success('Download iniciado', { description: `Procure por ${fileName} nos seus downloads.` }),
    onError: () => toast.error('Erro no download'),
  });
  return (
    <div className="grid gap-4">
      <p>Perfil, assinatura, automações, listas extraídas e histórico de segurança, em um arquivo ZIP.</p>
      {download.isError && (
        <div role="alert">
          <Notice tone="danger">
            {(download.error instanceof ApiError && download.error.message) || 'Não foi possível reunir seus dados agora.'}
          </Notice>
        </div>
      )}
      {download.isPending && <Gathering />}
      <Button variant="outline" className="justify-self-start" isBusy={download.isPending} onClick={() => download.mutate()}>
        {!download.isPending && <Download className="size-4" aria-hidden />}
        {download.isError ? 'Tentar novamente' : 'Baixar meus dados'}
      </Button>
    </div>
  );
}

const sentences = [
  [0, 'Reunindo seus dados...'],
  [4, 'Juntando o que cada parte do sistema guarda...'],
  [12, 'Contas com listas grandes levam um pouco mais. Mantenha esta página aberta.'],
] as const;

/** The archive's size is not known before its end: what can be told is what happens, and for how long. */
function Gathering() {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), 1_000);
    return () => clearInterval(timer);
  }, []);
  const text = sentences.findLast(([from]) => seconds >= from)?.[1];
  return (
    <div className="grid gap-2">
      <div role="progressbar" aria-label="Reunindo seus dados" aria-valuetext={text} className="h-2 overflow-hidden rounded-full bg-sunken">
        <div className="h-full w-1/3 animate-pulse rounded-full bg-brand" />
      </div>
      <p role="status" className="text-[15px] text-muted">
        {text}
      </p>
    </div>
  );
}
