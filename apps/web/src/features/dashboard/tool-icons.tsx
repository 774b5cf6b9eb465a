import type { ToolType } from '@decola/contracts';
import { Eye, FileText, Gift, Heart, type LucideIcon, MessageCircle, MessagesSquare, Send, UserPlus, Users } from 'lucide-react';

const icons: Record<ToolType, LucideIcon> = {
  'auto-follow-unfollow': UserPlus,
  'auto-like': Heart,
  'auto-comment': MessageCircle,
  'prize-extractor': Gift,
  'followers-following-extractor': Users,
  'post-interactions-extractor': MessagesSquare,
  'mass-story-viewer': Eye,
  'auto-dm-sender': Send,
  'blog-automation': FileText,
};

export function ToolIcon({ type, className }: { type: ToolType; className?: string }) {
  const Icon = icons[type];
  return <Icon className={className ?? 'size-5'} aria-hidden />;
}
