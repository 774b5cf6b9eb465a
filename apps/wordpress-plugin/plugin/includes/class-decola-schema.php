<?php
/**
 * Tables of the plugin.
 *
 * @package Decola
 */

defined( 'ABSPATH' ) || exit;

/** Creates the tables: articles and their posts, answered events, diary. */
class Decola_Schema {

	const VERSION = '1';

	public static function activate(): void {
		self::ensure();
		Decola_Settings::adopt_author( get_current_user_id() );
		Decola_Pickup::schedule();
	}

	/** Also needed without an activation: for the sites of a network, and after an update. */
	public static function ensure(): void {
		if ( self::VERSION === get_option( 'decola_db_version' ) ) {
			return;
		}
		global $wpdb;
		require_once ABSPATH . 'wp-admin/includes/upgrade.php';
		$collate = $wpdb->get_charset_collate();
		dbDelta(
			"CREATE TABLE {$wpdb->prefix}decola_articles (
  article_id varchar(64) NOT NULL,
  post_id bigint(20) unsigned NOT NULL DEFAULT 0,
  revision int(11) NOT NULL DEFAULT 0,
  content_hash char(64) NOT NULL DEFAULT '',
  source_hash char(64) NOT NULL DEFAULT '',
  image_hash char(64) NOT NULL DEFAULT '',
  attachment_id bigint(20) unsigned NOT NULL DEFAULT 0,
  state varchar(20) NOT NULL DEFAULT 'claimed',
  saving_since int(11) NOT NULL DEFAULT 0,
  lease_until int(11) NOT NULL DEFAULT 0,
  lease_key char(32) NOT NULL DEFAULT '',
  PRIMARY KEY  (article_id),
  KEY post_id (post_id)
) $collate;"
		);
		dbDelta(
			"CREATE TABLE {$wpdb->prefix}decola_events (
  message_id varchar(100) NOT NULL,
  data_hash char(64) NOT NULL,
  status smallint(6) NOT NULL DEFAULT 0,
  response longtext,
  lease_until int(11) NOT NULL DEFAULT 0,
  created_at int(11) NOT NULL DEFAULT 0,
  PRIMARY KEY  (message_id,data_hash),
  KEY created_at (created_at)
) $collate;"
		);
		dbDelta(
			"CREATE TABLE {$wpdb->prefix}decola_diary (
  id bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  created_at int(11) NOT NULL DEFAULT 0,
  type varchar(40) NOT NULL DEFAULT '',
  article_id varchar(64) NOT NULL DEFAULT '',
  status smallint(6) NOT NULL DEFAULT 0,
  code varchar(40) NOT NULL DEFAULT '',
  message varchar(500) NOT NULL DEFAULT '',
  PRIMARY KEY  (id)
) $collate;"
		);
		update_option( 'decola_db_version', self::VERSION, true );
	}
}
