<?php
/**
 * Locks.
 *
 * @package Decola
 */

defined( 'ABSPATH' ) || exit;

/** Lets one visit at a time do something. A lock is a row, changed by one statement: options are cached, and several visits would read the same. */
class Decola_Lock {

	/**
	 * Takes a lock.
	 *
	 * @param int $seconds After this time a visit that died holds it no longer.
	 * @return string|null Key to release it; null when another visit has it.
	 */
	public static function acquire( string $name, int $seconds ): ?string {
		global $wpdb;
		$key = ( time() + $seconds ) . '-' . wp_generate_password( 12, false );
		self::create( $name );
		$taken = $wpdb->query( $wpdb->prepare( "UPDATE {$wpdb->options} SET option_value = %s WHERE option_name = %s AND SUBSTRING_INDEX(option_value, '-', 1) + 0 < %d", $key, self::option( $name ), time() ) );
		return $taken ? $key : null;
	}

	public static function release( string $name, string $key ): void {
		global $wpdb;
		$wpdb->query( $wpdb->prepare( "UPDATE {$wpdb->options} SET option_value = '0' WHERE option_name = %s AND option_value = %s", self::option( $name ), $key ) );
	}

	/** @return int A time that was noted; 0 when none was. */
	public static function time( string $name ): int {
		global $wpdb;
		return (int) $wpdb->get_var( $wpdb->prepare( "SELECT option_value FROM {$wpdb->options} WHERE option_name = %s", self::option( $name ) ) );
	}

	public static function note_time( string $name, int $time ): void {
		global $wpdb;
		self::create( $name );
		$wpdb->query( $wpdb->prepare( "UPDATE {$wpdb->options} SET option_value = %d WHERE option_name = %s", $time, self::option( $name ) ) );
	}

	private static function create( string $name ): void {
		global $wpdb;
		$wpdb->query( $wpdb->prepare( "INSERT IGNORE INTO {$wpdb->options} (option_name, option_value, autoload) VALUES (%s, '0', 'no')", self::option( $name ) ) );
	}

	private static function option( string $name ): string {
		return 'decola_' . $name;
	}
}
