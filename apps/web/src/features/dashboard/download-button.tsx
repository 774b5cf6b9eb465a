import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { toast } from 'sonner';
import { Button } from '../../components/ui/button';
import { formatCount } from '../../lib/format';
import { client, dataOf } from '../../lib/runtime';

interface LatestExtraction {
  csv_url: string;
  file_name: string;
  total_records: number;
}

/** Fetches the newest link at the moment of the click: one from when the page was opened may have expired. */
export function DownloadButton({ automationId }: { automationId: string }) {
  const latest = useMutation({
    mutationFn: async () =>
      dataOf(await client().rpc('get_latest_extraction', { p_automation_id: automationId })) as LatestExtraction[] | LatestExtraction,
    onSuccess: (answer) => {
      const extraction = Array.isArray(answer) ? answer[0] : answer;
      if (!extraction) {
        toast.error('Nenhum dado encontrado', { description: 'Esta automação ainda não coletou nada.' });
        return;
      }
      if (!extraction.csv_url) {
        toast.error('Dados não disponíveis', { description: 'A extração ainda está em andamento.' });
        return;
      }
      const link = document.createElement('a');
      link.href = extraction.csv_url;
      link.download = extraction.file_name;
      link.click();
      toast.success('Download iniciado', { description: `${formatCount(extraction.total_records)} registros` });
    },
    onError: () => toast.error('Erro no download', { description: 'Tente novamente em alguns instantes.' }),
  });
  return (
    <Button variant="outline" size="small" onClick={() => latest.mutate()} isBusy={latest.isPending}>
      {!latest.isPending && <Download className="size-4" aria-hidden />} Baixar CSV
    </Button>
  );
}
