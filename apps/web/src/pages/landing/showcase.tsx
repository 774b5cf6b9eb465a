import { Download, Heart, Pencil, UserPlus, Users } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../components/ui/button';
import { PrizeWheel, turnTo, type WheelSlice } from '../../components/prize-wheel';
import { AutomationCard, Collected, Facts } from '../../features/dashboard/automation-card';
import { classes } from '../../lib/classes';

const name = (text: string) => <p className="line-clamp-2 font-display leading-snug text-lg font-semibold">{text}</p>;

/** Looks like the dashboard's switch, without its weight: nothing can be switched here. */
const toggle = (isOn: boolean) => (
  <span
    className={classes(
      'flex h-7 w-12 shrink-0 items-center rounded-full px-1',
      isOn ? 'justify-end bg-brand' : 'border border-edge bg-sunken',
    )}
  >
    <span className={classes('size-5 rounded-full shadow', isOn ? 'bg-surface' : 'bg-edge')} />
  </span>
);

const editButton = (
  <Button variant="outline" size="small" tabIndex={-1}>
    <Pencil className="size-4" /> Editar
  </Button>
);

/** The dashboard's own cards, filled as an example. A picture to people and screen readers alike: nothing in it reacts. */
export function DashboardPicture() {
  return (
    <div role="img" aria-label="O painel: três automações com estado, progresso e próxima execução">
      <div inert className="grid gap-3 rounded-3xl border border-line bg-canvas p-3 shadow-2xl shadow-brand/10 sm:p-4">
        <div className="flex items-center gap-1.5 px-1" aria-hidden>
          <span className="size-2.5 rounded-full bg-line" />
          <span className="size-2.5 rounded-full bg-line" />
          <span className="size-2.5 rounded-full bg-line" />
          <span className="ml-auto rounded-full bg-sunken px-3 py-1 text-sm font-semibold">3/6 slots</span>
        </div>
        <AutomationCard
          icon={<UserPlus />}
          title={name('Seguir quem usa #cafeteria')}
          subtitle="Seguir e Desseguir"
          status="waiting"
          isInactive={false}
          control={toggle(true)}
        >
          <Facts
            facts={[
              ['Próxima', 'hoje, 15:00'],
              ['Na última', '3 de 3 confirmadas'],
            ]}
          />
        </AutomationCard>
        <AutomationCard
          icon={<Users />}
          title={name('Seguidores de @cafe.da.lia')}
          subtitle="Extrator de Seguidores"
          status="running"
          isInactive={false}
          control={toggle(true)}
          actions={
            <>
              <Button variant="outline" size="small" tabIndex={-1}>
                <Download className="size-4" /> Baixar CSV
              </Button>
              {editButton}
            </>
          }
        >
          <Collected collected={4_870} total={5_000} isRunning isComplete={false} reason={null} />
        </AutomationCard>
        <AutomationCard
          icon={<Heart />}
          title={name('Curtir #cafeespecial')}
          subtitle="Curtidas Automáticas"
          status="blocked"
          isInactive
          reason="O Instagram pediu uma confirmação nesta conta. Paramos na hora. Entre pelo aplicativo, confirme e ligue de novo."
          control={toggle(false)}
        />
      </div>
    </div>
  );
}

const prizes: readonly WheelSlice[] = [
  { id: '1', name: 'Café grátis', quantity: 20 },
  { id: '2', name: '10% off', quantity: 50 },
  { id: '3', name: 'Caneca', quantity: 5 },
  { id: '4', name: 'Brownie', quantity: 12 },
  { id: '5', name: 'Ecobag', quantity: 0 },
  { id: '6', name: '20% off', quantity: 30 },
  { id: '7', name: 'Cappuccino', quantity: 15 },
  { id: '8', name: 'Cookie', quantity: 25 },
];
const inStock = prizes.flatMap(({ quantity }, index) => (quantity > 0 ? [index] : []));
const spinMs = 4_000;

/** The prize wheel's own picture, which a visitor may turn. Nothing is won, and the page says so. */
export function WheelTrial() {
  const [rotation, setRotation] = useState(0);
  const [won, setWon] = useState<string | null>(null);
  const [isSpinning, setSpinning] = useState(false);
  const spin = () => {
    const index = inStock[Math.floor(Math.random() * inStock.length)]!;
    const isStill = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    setWon(null);
    setSpinning(true);
    setRotation(turnTo(index, prizes.length, rotation, Math.random() * 2 - 1));
    setTimeout(
      () => {
        setSpinning(false);
        setWon(prizes[index]!.name);
      },
      isStill ? 0 : spinMs,
    );
  };
  return (
    <div className="grid justify-items-center gap-5">
      <div className="w-full max-w-[380px] p-2">
        <PrizeWheel slices={prizes} rotation={rotation} />
      </div>
      <Button onClick={spin} disabled={isSpinning}>
        {isSpinning ? 'Girando...' : won ? 'Girar de novo' : 'Girar a roleta'}
      </Button>
      <p role="status" className="min-h-6 text-center font-medium">
        {won && `Parou em "${won}". É só uma demonstração.`}
      </p>
    </div>
  );
}
