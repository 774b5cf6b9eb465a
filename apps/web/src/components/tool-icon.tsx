import type { ToolType } from '@decola/contracts';
import { Eye, FileText, Gift, Heart, type LucideIcon, MessageCircle, MessagesSquare, Send, UserPlus, Users } from 'lucide-react';
import type { DialTool } from './ui/dial';

const tools: Record<ToolType, { Icon: LucideIcon; dial: DialTool }> = {
  'auto-follow-unfollow': { Icon: UserPlus, dial: 'follow' },
  'auto-like': { Icon: Heart, dial: 'like' },
  'auto-comment': { Icon: MessageCircle, dial: 'comment' },
  'prize-extractor': { Icon: Gift, dial: 'wheel' },
  'followers-following-extractor': { Icon: Users, dial: 'list' },
  'post-interactions-extractor': { Icon: MessagesSquare, dial: 'post' },
  'mass-story-viewer': { Icon: Eye, dial: 'story' },
  'auto-dm-sender': { Icon: Send, dial: 'direct' },
  'blog-automation': { Icon: FileText, dial: 'blog' },
};

/** The name under which `Dial` and the style sheets know the tool's colour. */
export const dialToolOf = (type: ToolType): DialTool => tools[type].dial;

/** The tool's icon. The surrounding `Dial` sets its size and colour. */
export function ToolIcon({ type }: { type: ToolType }) {
  const { Icon } = tools[type];
  return <Icon className="icon" aria-hidden />;
}
