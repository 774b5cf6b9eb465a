import type { UsageKind } from '@decola/contracts';
import { Eye, Files, Heart, List, type LucideIcon, MessageCircle, Send, UserMinus, UserPlus } from 'lucide-react';
import type { DialTool } from '../../components/ui/dial';

export interface UsageLook {
  /** Whose hue its marks have; null for ink. */
  tool: DialTool | null;
  Icon: LucideIcon;
}

/** How each kind that has a ceiling looks; in the order of the pages. */
export const usageLooks: Readonly<Record<UsageKind, UsageLook>> = {
  follow: { tool: 'follow', Icon: UserPlus },
  unfollow: { tool: 'follow', Icon: UserMinus },
  like: { tool: 'like', Icon: Heart },
  comment: { tool: 'comment', Icon: MessageCircle },
  message: { tool: 'direct', Icon: Send },
  'view-story': { tool: 'story', Icon: Eye },
  'list-page': { tool: 'list', Icon: List },
  'page-view': { tool: null, Icon: Files },
};

export const shownUsage = Object.keys(usageLooks) as readonly UsageKind[];
