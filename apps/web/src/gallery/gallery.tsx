import { Gift, Heart, MessageCircle, Pencil, Search, UserPlus, Users } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Logo } from '../components/logo';
import { Button } from '../components/ui/button';
import { DayClock } from '../components/ui/day-clock';
import { DayScale } from '../components/ui/day-scale';
import { Dial, dialTools } from '../components/ui/dial';
import { Dialog } from '../components/ui/dialog';
import { ChoiceField, PasswordField, SelectField, TextField } from '../components/ui/field';
import { FilterButtons, FilterCount, SearchInput } from '../components/ui/filter-bar';
import { Lamp } from '../components/ui/lamp';
import { Pick } from '../components/ui/pick';
import { CheckSegments, SegmentField } from '../components/ui/segments';
import { Stepper } from '../components/ui/stepper';
import { Badge, Card, Failure, Notice, Skeleton } from '../components/ui/surface';
import { Switch } from '../components/ui/switch';
import { Tabs } from '../components/ui/tabs';
import { Marks, Ticks, Towers } from '../components/ui/ticks';
import { Toaster } from '../components/ui/toaster';
import { toast } from '../lib/toast';

const days = ['dom', 'seg', 'ter', 'qua', 'qui', 'sex', 'hoje'];
const colours = [
  'canvas',
  'surface',
  'sunken',
  'line',
  'edge',
  'tick',
  'ink',
  'muted',
  'brand',
  'brand-text',
  'success',
  'warning',
  'danger',
];

/** Every component in every state, for designers and for the tests that look at them. It is no part of the app. */
export function Gallery() {
  const [chosenDays, setChosenDays] = useState<string[]>([]);
  const [tab, setTab] = useState<'write' | 'find'>('write');
  const [choice, setChoice] = useState('hashtag');
  const [filter, setFilter] = useState<string | null>(null);
  const [sought, setSought] = useState('');
  const [period, setPeriod] = useState('30 dias');
  const [pace, setPace] = useState('1 hora');
  const [count, setCount] = useState('5');
  const [isOn, setOn] = useState(true);
  const [isOpen, setOpen] = useState(false);
  return (
    <main className="mx-auto grid w-[min(1200px,100%-32px)] gap-5 py-10">
      <h1 className="text-2xl">Componentes e estados</h1>
      <Group title="Logo">
        <Logo name="Decola" />
      </Group>
      <Group title="Botões">
        <Button>Criar Automação</Button>
        <Button isBusy>Criar Automação</Button>
        <Button disabled>Sem slots</Button>
        <Button variant="ink">Criar conta</Button>
        <Button variant="secondary">Salvar Rascunho</Button>
        <span data-tool="like">
          <Button variant="soft">Use agora</Button>
        </span>
        <Button variant="quiet">Anterior</Button>
        <Button variant="danger">Excluir mesmo assim</Button>
        <Button variant="quiet" size="icon" aria-label="Editar">
          <Pencil className="size-5" aria-hidden />
        </Button>
        <Button size="large">Começar grátis</Button>
        <Button size="small" variant="secondary">
          CSV
        </Button>
        <a className="link" href="#top">
          Ver o que fazer
        </a>
      </Group>
      <Group title="Marcas">
        <div className="grid w-full max-w-xl gap-4">
          <Limit tool="follow" name="Seguir" value={34} of={60} />
          <Limit tool="like" name="Curtir" value={104} of={120} />
          <Limit tool="comment" name="Comentar" value={6} of={15} />
          <Limit tool="direct" name="Direct" value={0} of={0} />
          <div data-tool="list">
            <Ticks kind="progress" value={4_870} of={12_400} mostMarks={60} label="4.870 de 12.400 obtidos" />
          </div>
          <div className="flex items-center gap-4 text-sm" data-tool="follow">
            <Marks value={2} of={3} isGoing /> 2 de 3
            <Marks value={3} of={3} /> 3 de 3
          </div>
        </div>
        <div className="w-full max-w-80" data-tool="follow">
          <Towers
            height={90}
            towers={days.map((name, index) => ({
              key: name,
              name,
              value: index * 7,
              limit: index < 3 ? 25 : 60,
              label: `${name}: ${index * 7} de ${index < 3 ? 25 : 60} ações`,
            }))}
          />
        </div>
        <div className="w-full max-w-80" data-tool="like">
          <DayScale
            byHour={Array.from({ length: 24 }, (_, hour) => (hour < 7 || hour > 22 ? 0 : hour % 5))}
            isResting={(hour) => hour < 7 || hour > 22}
            label="Das 7h às 23h, 32 ações em um dia"
          />
        </div>
      </Group>
      <Group title="Mostradores">
        <Dial tool="like" state="run">
          <Heart className="icon" />
        </Dial>
        <Dial tool="follow" state="on" filled={0.72}>
          <UserPlus className="icon" />
        </Dial>
        <Dial tool="comment" state="stop">
          <MessageCircle className="icon" />
        </Dial>
        <Dial tool="post" state="done">
          <Users className="icon" />
        </Dial>
        <Dial tool="wheel" state="draft">
          <Gift className="icon" />
        </Dial>
        {dialTools.map((tool) => (
          <Dial key={tool} tool={tool} state="idle" size="small">
            <Search className="icon" />
          </Dial>
        ))}
        <Dial state="on" filled={0.5} size="small">
          <b className="text-sm">2</b>
        </Dial>
        <DayClock from="23:00" to="07:00" now="15:10" label="Silêncio das 23:00 às 07:00; agora são 15:10" className="w-33" />
      </Group>
      <Group title="Luzes">
        <Lamp state="run">Executando agora</Lamp>
        <Lamp state="on">Ativo</Lamp>
        <Lamp state="done">Concluído</Lamp>
        <Lamp state="warn">Precisa de você</Lamp>
        <Lamp state="stop">Parado</Lamp>
        <Lamp state="off">Rascunho</Lamp>
        <Badge>3 slots disponíveis</Badge>
        <Badge tone="danger">Inativo</Badge>
        <Badge tone="brand">Mais Popular</Badge>
        <Badge tone="success">Renova em 3 de dezembro</Badge>
        <Badge tone="warning">Pagamento pendente</Badge>
      </Group>
      <Group title="Campos">
        <div className="grid w-full gap-5 sm:grid-cols-2">
          <TextField label="Hashtag" hint="Uma ou mais, separadas por vírgula." defaultValue="cafeteria" />
          <TextField label="Hashtag vazia" error="Digite uma hashtag" />
          <TextField label="Email atual" readOnly value="ana@estudio.exemplo" />
          <PasswordField label="Senha" defaultValue="segredo" />
          <TextField label="Comentário de resposta" isMultiline hint="30 de 300" defaultValue="Acabei de te mandar no direct." />
          <ChoiceField
            legend="Onde encontrar as pessoas"
            value={choice}
            onChange={setChoice}
            choices={[
              { value: 'hashtag', label: 'Por hashtag' },
              { value: 'profile', label: 'Seguidores de um perfil', description: 'Pessoas que seguem um @' },
              { value: 'slot', label: 'Slot de dados extraídos' },
            ]}
          />
          <SelectField label="Fuso horário" hint="Vale para todas as suas contas.">
            <option>Brasília</option>
            <option>Manaus</option>
          </SelectField>
          <SelectField label="Fuso horário recusado" error="Escolha um fuso da lista">
            <option>Brasília</option>
          </SelectField>
          <Pick
            label="Período"
            value={period}
            onChange={setPeriod}
            options={['7 dias', '30 dias', '90 dias'].map((value) => ({ value, label: value }))}
          />
          <FilterButtons
            label="Estados"
            filters={[
              {
                value: null,
                content: (
                  <>
                    Todas <FilterCount>12</FilterCount>
                  </>
                ),
              },
              {
                value: 'stopped',
                content: (
                  <>
                    Paradas <FilterCount>2</FilterCount>
                  </>
                ),
              },
            ]}
            chosen={filter}
            onChoose={setFilter}
          />
          <SearchInput label="Buscar automação" value={sought} onChange={setSought} />
          <SegmentField
            legend="Frequência de execução"
            value={pace}
            onChange={setPace}
            segments={['15 minutos', '30 minutos', '1 hora', '2 horas'].map((value) => ({ value, label: value }))}
          />
          <CheckSegments
            legend="Dias"
            values={chosenDays}
            onChange={setChosenDays}
            segments={days.slice(0, 6).map((value) => ({ value, label: value }))}
            error={chosenDays.length === 0 ? 'Selecione pelo menos um dia da semana' : undefined}
          />
          <Tabs
            look="bar"
            label="Ferramentas"
            tabs={[
              { value: 'write', label: 'Escrever', Icon: Pencil },
              { value: 'find', label: 'Buscar', Icon: Search },
            ]}
            value={tab}
            onChange={setTab}
          >
            <p className="p-4 text-muted">Conteúdo da aba</p>
          </Tabs>
          <Stepper
            label="Ações por execução"
            hint="De 1 a 5. Vazio, processamos 3 por execução."
            value={count}
            onChange={setCount}
            min={1}
            max={5}
            usual={3}
            names={{ fewer: 'Uma a menos', more: 'Uma a mais' }}
            error={Number(count) > 5 ? 'Digite no máximo 5 ações por execução' : undefined}
          >
            <Marks value={Number(count) || 3} of={5} />
          </Stepper>
        </div>
        <Switch label="Ligada" isOn={isOn} onChange={setOn} />
        <Switch label="Desligada" isOn={!isOn} onChange={() => setOn(!isOn)} />
        <Switch label="Espera" isOn disabled onChange={() => undefined} />
      </Group>
      <Group title="Avisos">
        <div className="grid w-full gap-3">
          <Notice tone="neutral">Acima da frequência valem os limites de segurança da sua conta.</Notice>
          <Notice tone="success">Webhook testado com sucesso! WordPress respondeu corretamente.</Notice>
          <Notice>Nenhum slot livre. Você pode salvar como rascunho.</Notice>
          <Notice tone="danger">Pagamento pendente. O acesso vai até 3 de dezembro.</Notice>
        </div>
        <Button variant="secondary" onClick={() => toast.success('Automação criada com sucesso!')}>
          Mostrar sucesso
        </Button>
        <Button
          variant="secondary"
          onClick={() => toast.error('Erro ao atualizar automação', { description: 'Voltamos ao que estava. Tente novamente.' })}
        >
          Mostrar falha
        </Button>
        <Button variant="secondary" onClick={() => setOpen(true)}>
          Abrir diálogo
        </Button>
        <Dialog
          isOpen={isOpen}
          onClose={() => setOpen(false)}
          title="Excluir “Seguidores de @torra.fresca”?"
          description="Não dá para desfazer."
        >
          <div className="flex flex-wrap justify-end gap-2">
            <Button variant="quiet" onClick={() => setOpen(false)}>
              Cancelar
            </Button>
            <Button variant="danger" onClick={() => setOpen(false)}>
              Excluir mesmo assim
            </Button>
          </div>
        </Dialog>
      </Group>
      <Group title="Falha e espera">
        <div className="grid w-full gap-4 sm:grid-cols-2">
          <Failure text="Não foi possível carregar suas automações" onRetry={() => undefined} />
          <div className="grid content-start gap-3">
            <Skeleton className="h-6 w-1/2" />
            <Skeleton className="h-5 w-full" />
            <Skeleton className="h-5 w-3/4" />
          </div>
        </div>
      </Group>
      <Group title="Cores">
        {[...colours, ...dialTools].map((name) => (
          <span key={name} className="grid w-24 gap-1 text-xs">
            <span className="h-12 rounded-control inset-ring inset-ring-line" style={{ background: `var(--${name})` }} />
            {name}
          </span>
        ))}
      </Group>
      <Toaster />
    </main>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card>
      <h2 className="mb-4 text-xl">{title}</h2>
      <div className="flex flex-wrap items-center gap-4">{children}</div>
    </Card>
  );
}

function Limit({ tool, name, value, of }: { tool: string; name: string; value: number; of: number }) {
  return (
    <div data-tool={tool} className="grid gap-1.5">
      <p className="flex justify-between text-sm">
        <span className="font-medium">{name}</span>
        <span className="text-muted">
          <b className="text-ink">{value}</b> de {of}
        </span>
      </p>
      <Ticks value={value} of={of} label={`${name}: ${value} de ${of} hoje`} />
    </div>
  );
}
