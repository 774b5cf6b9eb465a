<?php
/**
 * Removes what the plugin stored. Posts and images stay: they belong to the site.
 *
 * @package Decola
 */

defined( 'ABSPATH' ) || exit;
defined( 'WP_UNINSTALL_PLUGIN' ) || exit;

/** Removes tables, options and post meta of the current site. */
function decola_uninstall_site(): void {
	global $wpdb;
	wp_clear_scheduled_hook( 'decola_pickup' );
	$wpdb->query( "DROP TABLE IF EXISTS {$wpdb->prefix}decola_articles, {$wpdb->prefix}decola_events, {$wpdb->prefix}decola_diary" );
	$wpdb->query( $wpdb->prepare( "DELETE FROM {$wpdb->postmeta} WHERE meta_key LIKE %s", $wpdb->esc_like( '_decola_' ) . '%' ) );
	$wpdb->query( $wpdb->prepare( "DELETE FROM {$wpdb->options} WHERE option_name LIKE %s OR option_name LIKE %s OR option_name LIKE %s", $wpdb->esc_like( '_transient_decola_' ) . '%', $wpdb->esc_like( '_transient_timeout_decola_' ) . '%', $wpdb->esc_like( 'decola_' ) . '%' ) );
	wp_cache_flush();
}

if ( is_multisite() ) {
	foreach ( get_sites( array( 'fields' => 'ids', 'number' => 0 ) ) as $decola_site ) {
		switch_to_blog( (int) $decola_site );
		decola_uninstall_site();
		restore_current_blog();
	}
} else {
	decola_uninstall_site();
}
