import { Volume2, VolumeX } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { LightButton } from '../light-button';
import { click, followSlices } from './slice-ticks';
import { visitProposals as texts } from './texts';

interface SoundSwitchProps {
  /** The box that turns. */
  wheel: RefObject<Element | null>;
  slices: number;
  isTurning: boolean;
}

/** Lets the wheel click at each slice. Off until somebody presses it: browsers allow sound only after that, and so do people around. */
export function SoundSwitch({ wheel, slices, isTurning }: SoundSwitchProps) {
  const audio = useRef<AudioContext | null>(null);
  const [isOn, setOn] = useState(false);
  useEffect(() => {
    if (!isOn || !isTurning || !wheel.current) return undefined;
    return followSlices(wheel.current, slices, () => audio.current && click(audio.current));
  }, [isOn, isTurning, slices, wheel]);
  useEffect(
    () => () => {
      void audio.current?.close();
      audio.current = null;
    },
    [],
  );
  const toggle = () => {
    audio.current ??= new AudioContext();
    void audio.current.resume();
    setOn(!isOn);
  };
  const Icon = isOn ? Volume2 : VolumeX;
  return (
    <LightButton variant="quiet" aria-pressed={isOn} onClick={toggle}>
      <Icon className="size-[18px]" aria-hidden />
      {texts.sound}
    </LightButton>
  );
}
